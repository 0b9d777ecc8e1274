// What imports cannot show: a rule that asks the clock, chance or the process, and an import whose path is
// computed. Read from the syntax tree, so that comments and strings may speak of them freely.
import { readFileSync } from "node:fs";
import ts from "typescript";

/** Violations found in the text of the given source files. */
export function findHiddenInputs(files, { noHiddenInputs }) {
  const pure = new RegExp(`^src/(${noHiddenInputs.rooms.join("|")})/`);
  const forbidden = new Set([...noHiddenInputs.globals, ...noHiddenInputs.members]);
  return files
    .filter((file) => /\.[cm]?tsx?$/.test(file))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ESNext, true);
      const inputs = pure.test(file) ? expressions(source).filter((node) => forbidden.has(nameOf(node))) : [];
      return [
        ...inputs.map((node) =>
          violation("hidden-input", source, node, nameOf(node), noHiddenInputs.because),
        ),
        ...findComputedImports(source).map((node) =>
          violation(
            "computed-import",
            source,
            node,
            node.getText(source),
            "a path in a variable escapes this check",
          ),
        ),
      ];
    });
}

/** Every place where a value is used: types and declared names are not. */
function expressions(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node)) return;
    if (isUse(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isUse(node) {
  if (ts.isPropertyAccessExpression(node)) return true;
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.initializer === node;
  const used = [ts.isCallExpression, ts.isNewExpression, ts.isSpreadElement, ts.isReturnStatement];
  return (
    used.some((is) => is(parent)) || ts.isElementAccessExpression(parent) || ts.isBinaryExpression(parent)
  );
}

function nameOf(node) {
  return ts.isPropertyAccessExpression(node) ? `${node.expression.getText()}.${node.name.text}` : node.text;
}

function findComputedImports(source) {
  const found = [];
  const visit = (node) => {
    if (
      ts.isCallExpression(node) &&
      isImport(node.expression) &&
      !ts.isStringLiteralLike(node.arguments[0])
    ) {
      found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isImport(callee) {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require")
  );
}

function violation(rule, source, node, to, because) {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return { rule, from: `${source.fileName}:${line + 1}`, to, because };
}
