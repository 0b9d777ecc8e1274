// TypeScript types as JSON Schema, for values that JSON.stringify prints: what may be undefined is a key that may be absent.
// Interfaces keep their names, as definitions that several commands share.
import ts from "typescript";

const { TypeFlags } = ts;

const plainTypes = [
  [TypeFlags.StringLike, "string"],
  [TypeFlags.NumberLike, "number"],
  [TypeFlags.BooleanLike, "boolean"],
  [TypeFlags.Null, "null"],
];

export function createTypeReader(checker, enumerations) {
  const definitions = new Map(Object.entries(enumerations).map(([name, words]) => [name, { enum: words }]));
  const joinSchemas = (schemas) => join(schemas, enumerations);

  /** One schema for several results of a command: a key that some of them lack is optional. */
  function describeUnion(types) {
    const all = types.flatMap((type) => (type.isUnion() ? type.types : [type])).filter(isPrinted);
    if (all.length > 0 && all.every(isPlainObject)) return describeMerged(all);
    return joinSchemas(all.map(describe));
  }

  function describe(type) {
    if (type.isUnion()) return describeAlternatives(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    const [, plain] = plainTypes.find(([flag]) => type.flags & flag) ?? [];
    if (plain) return { type: plain };
    return type.flags & (TypeFlags.Object | TypeFlags.Intersection) ? describeObject(type) : {};
  }

  function describeObject(type) {
    if (checker.isArrayType(type) || checker.isTupleType(type)) return describeArray(type);
    return isNamed(type) ? refer(type) : describeMerged([type]);
  }

  function describeAlternatives(types) {
    const printed = types.filter(isPrinted);
    if (printed.length > 1 && printed.every(isPlainObject)) return describeMerged(printed);
    return joinSchemas(printed.map(describe));
  }

  function describeArray(type) {
    const items = checker.getTypeArguments(type);
    const kinds = checker.isTupleType(type) ? items.map(describe) : [describe(items[0])];
    return { type: "array", items: joinSchemas(kinds) };
  }

  function refer(type) {
    const name = getName(type);
    if (!definitions.has(name)) {
      definitions.set(name, {});
      definitions.set(name, describeMerged([type]));
    }
    return { $ref: `#/$defs/${name}` };
  }

  function describeMerged(types) {
    const index = types.length === 1 && checker.getIndexInfosOfType(types[0])[0];
    const properties = {};
    const required = [];
    for (const name of listNames(types)) {
      const found = types.map((type) => readProperty(type, name));
      const schemas = found.flatMap(({ schema }) => schema ?? []);
      if (schemas.length === 0) continue;
      const about = found.map((one) => one.about).find(Boolean);
      properties[name] = { ...joinSchemas(schemas), ...(about ? { description: about } : {}) };
      if (found.every(({ isAlways }) => isAlways)) required.push(name);
    }
    return {
      type: "object",
      properties,
      required,
      ...(index ? { additionalProperties: describe(index.type) } : {}),
    };
  }

  const listNames = (types) => [
    ...new Set(types.flatMap((type) => checker.getPropertiesOfType(type).map(({ name }) => name))),
  ];

  function readProperty(type, name) {
    const symbol = checker.getPropertyOfType(type, name);
    if (!symbol) return { isAlways: false };
    const whole = checker.getTypeOfSymbol(symbol);
    const parts = (whole.isUnion() ? whole.types : [whole]).filter(isPrinted);
    if (parts.length === 0) return { isAlways: false };
    const mayLack = parts.length < (whole.isUnion() ? whole.types.length : 1);
    return {
      schema: parts.length === 1 ? describe(parts[0]) : describeAlternatives(parts),
      isAlways: !mayLack && !(symbol.flags & ts.SymbolFlags.Optional),
      about: ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll("\n", " "),
    };
  }

  const isPlainObject = (type) =>
    Boolean(type.flags & (TypeFlags.Object | TypeFlags.Intersection)) &&
    !checker.isArrayType(type) &&
    !checker.isTupleType(type) &&
    !isNamed(type);

  return {
    describe,
    describeUnion,
    definitions: () => Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** JSON.stringify leaves out what is undefined, and functions. */
function isPrinted(type) {
  return (
    !(type.flags & (TypeFlags.Undefined | TypeFlags.Never | TypeFlags.Void)) &&
    type.getCallSignatures().length === 0
  );
}

const getName = (type) => type.aliasSymbol?.name ?? type.symbol?.name;

/** An interface, or an alias without parameters: a name says what it is. */
function isNamed(type) {
  if (type.aliasSymbol)
    return !type.aliasTypeArguments && !/^(Record|Pick|Omit|Partial|Readonly)$/.test(getName(type));
  return Boolean(type.symbol && type.symbol.flags & ts.SymbolFlags.Interface && !type.typeArguments?.length);
}

const isEmptyList = ({ type, items }) => type === "array" && Object.keys(items).length === 0;

/** One of several, each once; words are listed as one enumeration, by its name where it has one. */
function join(schemas, enumerations) {
  const all = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  // `[]` beside a list of something is that list, empty.
  const isKnownList = (one) => one.type === "array" && !isEmptyList(one);
  const different = all.some(isKnownList) ? all.filter((one) => !isEmptyList(one)) : all;
  const words = different.flatMap((one) => ("const" in one ? [one.const] : [])).sort();
  const others = different.filter((one) => !("const" in one));
  const [name] = Object.entries(enumerations).find(([, all]) => all.join() === words.join()) ?? [];
  if (words.length > 0) others.push(name ? { $ref: `#/$defs/${name}` } : { enum: words });
  if (others.some((one) => Object.keys(one).length === 0)) return {};
  return others.length === 1 ? others[0] : { anyOf: others };
}
