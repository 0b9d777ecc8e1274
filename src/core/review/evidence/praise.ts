// Words that praise and say nothing about the work, in the languages that critics answer in. A sentence of nothing else is no
// evidence in any of them; what a list does not know is judged by its length alone.
import { chooseLetters } from "./letters.ts";

interface Language {
  /** Words and phrases that approve. */
  readonly praise: readonly string[];
  /** Words that say nothing beside praise. */
  readonly fillers: string;
}

const english: Language = {
  praise: [
    "lgtm|looks? (?:good|fine|ok|okay|great|right|correct)(?: to me)?|all good|good to go",
    "no (?:issues?|problems?|findings?|concerns?|bugs?|defects?)(?: (?:is|are|was|were))?(?: (?:found|here|seen|left))?",
    "nothing (?:found|to report|wrong)|tests? (?:pass|passes|passed|are green)",
    "(?:meets?|satisf(?:y|ies)|fulfil?ls?) (?:all |the |this |every ){0,3}(?:requirements?|criteri(?:on|a)|rules?|sops?)",
    "(?:is |are |was )?(?:good|fine|ok|okay|great|correct|right|perfect|done|checked|reviewed|verified|passed|approved|clean|complete|met|nice|solid|excellent)",
    "as expected|works?|everything|the code|this (?:file|code|change)|change|overall|very|well",
  ],
  fillers:
    "the an? and or but its? this that is are was were be been ha[sd] have i we to in of on for with all every here there now code implementations? changes? files? requirements? criteri(?:on|a) rules?",
};

const german: Language = {
  praise: [
    "sieht (?:alles )?(?:sehr )?(?:gut|ok|okay|richtig|korrekt|sauber|prima) aus|alles (?:ist )?(?:in ordnung|gut|ok|okay|richtig|korrekt|klar)",
    "keine (?:probleme?|fehler|mängel|einwände|beanstandungen|auffälligkeiten)(?: (?:gefunden|gesehen|vorhanden))?|nichts (?:gefunden|zu beanstanden|auszusetzen)",
    "in ordnung|gut|richtig|korrekt|geprüft|überprüft|erfüllt|perfekt|prima|einwandfrei|sauber|bestanden|passt(?: so)?|wie erwartet|funktioniert",
  ],
  fillers:
    "der die das den dem des ein eine und oder ist sind war wurde wurden es ich wir mir hier so auch sehr alle alles jede hat haben für mit zu in im auf von code datei änderung(?:en)? umsetzung anforderung(?:en)? kriteri(?:um|en) regeln?",
};

const french: Language = {
  praise: [
    "(?:ça |tout )?(?:a l['’]air|semble|paraît) (?:très )?(?:bon|bien|correct|ok)|tout (?:est )?(?:bon|bien|en ordre|correct|va bien)",
    "aucune? (?:problème|erreur|défaut|souci|anomalie)s?(?: (?:trouvée?s?|détectée?s?))?|rien à (?:signaler|redire)",
    "conforme|correcte?s?|bon(?:ne)?s?|bien|parfaite?s?|vérifiée?s?|validée?s?|comme prévu|fonctionne",
  ],
  fillers:
    "le la les l un une et ou est sont c ce cela ça il elle tout tous toutes? je nous pour avec dans de des du à au code fichiers? changements? exigences? critères? règles? très ici",
};

const spanish: Language = {
  praise: [
    "(?:se ve|parece|luce) (?:muy )?(?:bien|buen[oa]|correct[oa])|todo (?:est[áa] )?(?:bien|correcto|en orden)",
    "(?:ningún|sin|no hay|no se encontraron|no encontré) (?:problemas?|errores?|error|defectos?)(?: encontrados?)?|nada que (?:reportar|señalar)",
    "correct[oa]s?|bien|buen[oa]s?|perfect[oa]|verificad[oa]s?|revisad[oa]s?|aprobad[oa]s?|funciona|como se esperaba|cumple",
  ],
  fillers:
    "el la los las un una y o es son está están esto este esta todos? para con en de del al código archivos? cambios? requisitos? criterios? reglas? muy aquí",
};

const portuguese: Language = {
  praise: [
    "(?:parece|está) (?:tudo )?(?:muito )?(?:bem|bom|boa|certo|correto|ok)|tudo (?:certo|bem|ok|correto|em ordem)",
    "(?:nenhum|sem|não há) (?:problemas?|erros?|defeitos?)(?: encontrados?)?|nada a (?:relatar|apontar)",
    "corret[oa]s?|bom|boa|perfeit[oa]|verificad[oa]s?|revisad[oa]s?|aprovad[oa]s?|funciona|como esperado|atende",
  ],
  fillers:
    "o a os as um uma e ou é são isto este esta tudo todos para com em no na de do da código arquivos? mudanças? requisitos? critérios? regras? muito aqui",
};

const italian: Language = {
  praise: [
    "(?:sembra|va) (?:tutto )?(?:molto )?(?:bene|buono|corretto|ok|a posto)|tutto (?:bene|ok|corretto|a posto|in ordine)",
    "(?:nessun|senza) (?:problem[ai]|errori?|difett[oi])(?: trovat[oi])?|niente da segnalare",
    "corrett[oa]|bene|buon[oa]|perfett[oa]|verificat[oa]|controllat[oa]|approvat[oa]|funziona|come previsto|conforme",
  ],
  fillers:
    "il lo la i gli le un una e o è sono questo questa tutto tutti per con in nel di del della codice file modific(?:a|he) requisit[oi] criteri[oi]? regol[ae] molto qui",
};

const dutch: Language = {
  praise: [
    "ziet er (?:allemaal )?(?:heel )?(?:goed|prima|netjes) uit|alles (?:is )?(?:goed|prima|in orde|correct|klopt)",
    "geen (?:problemen|fouten|gebreken|opmerkingen)(?: gevonden)?|niets op te merken",
    "goed|prima|correct|gecontroleerd|geverifieerd|goedgekeurd|zoals verwacht|werkt|klopt",
  ],
  fillers:
    "de het een en of is zijn was dit dat er ik wij alle alles voor met in op van code bestand(?:en)? wijziging(?:en)? eis(?:en)? criteri(?:um|a) regels? heel hier",
};

const polish: Language = {
  praise: [
    "wygląda (?:bardzo )?(?:dobrze|ok|poprawnie)|wszystko (?:jest )?(?:w porządku|dobrze|ok|poprawne)",
    "(?:brak|nie ma|bez) (?:problemów|błędów|uwag|zastrzeżeń)|nie znaleziono (?:problemów|błędów)",
    "dobrze|poprawn(?:e|ie|y)|sprawdzone|zweryfikowane|działa|zgodnie z oczekiwaniami|zgodne",
  ],
  fillers:
    "i lub jest są to ten ta te wszystkie dla z w na do kod plik(?:i)? zmian[ay]? wymagania kryteri(?:um|a) reguł[ay] bardzo tu",
};

const russian: Language = {
  praise: [
    "выглядит (?:очень )?(?:хорошо|нормально|корректно|правильно)|вс[её] (?:хорошо|в порядке|правильно|корректно|верно|ок)",
    "(?:проблем|ошибок|замечаний|дефектов)(?: (?:нет|не найдено|не обнаружено))|нет (?:проблем|ошибок|замечаний)",
    "хорошо|правильно|корректно|верно|проверено|одобрено|работает|как ожидалось|соответствует(?: требованиям)?",
  ],
  fillers:
    "и или это этот эта вс[её] все для с в на код файл(?:ы)? изменени[ея] требовани[яе] критери[йи] правил[оа] очень здесь",
};

const languages = [english, german, french, spanish, portuguese, italian, dutch, polish, russian];

/** Languages that set no blanks between words. */
const unspaced = [
  "(?:代码|整体|一切)?看起来(?:都)?(?:很好|不错|没问题|没有问题|正确)|(?:没有|未)(?:发现)?(?:任何)?(?:问题|错误)|没问题|一切正常|很好|不错|正确|符合(?:要求|预期|规范)|已(?:检查|验证|确认|通过)",
  "問題(?:は|が)?(?:特に)?(?:ありません|見つかりません|見当たりません)(?:でした)?|問題(?:は)?(?:ない|なし|無し)(?:です)?|良さそう(?:です)?|良い(?:です)?|大丈夫(?:です)?|正しい(?:です)?|確認(?:済み|しました)(?:です)?|期待(?:通り|どおり)(?:です)?|特にありません",
  "문제\\s?(?:가\\s?)?(?:없음|없습니다|없어\\s?보입니다)|좋아\\s?보입니다|좋습니다|괜찮습니다|정상(?:입니다)?|확인(?:했습니다|됨|\\s?완료)|이상\\s?없음",
];

/**
 * Stands before and behind each word while the lists are compared. `\b` knows no letters but those of English, and classes of
 * all letters, compiled for every list, would take longer than everything else that a review is judged by.
 */
const edge = "\u0001";

/** Whole words only. The lists are in small letters, as is what they are compared with. */
const matchWholeWords = (parts: readonly string[]) => {
  const words = parts.join("|").replace(/ |\['’\]/g, `${edge}$&${edge}`);
  return new RegExp(`${edge}(?:${words})${edge}`, "gu");
};

const spaced = languages.map(({ praise, fillers }) => ({
  praise: matchWholeWords(praise),
  fillers: matchWholeWords(fillers.split(" ")),
}));
const praiseUnspaced = new RegExp(unspaced.join("|"), "gu");

/** Many sentences of one review say the same about different places. */
let last: { readonly sentence: string; readonly left: string[] } | undefined;

/** What a sentence says beside praise, in small letters and read in each language; all of it where it does not praise. */
export function removePraise(sentence: string): string[] {
  if (last?.sentence !== sentence) last = { sentence, left: findRest(sentence) };
  return last.left;
}

function findRest(sentence: string): string[] {
  const plain = sentence.normalize("NFKC").toLowerCase();
  const words = plain.replace(chooseLetters(plain).words, `${edge}$&${edge}`);
  const left = spaced.map(({ praise, fillers }) => {
    const rest = words.replace(praise, "");
    return rest === words ? words : rest.replace(fillers, "");
  });
  return [...left, plain.replace(praiseUnspaced, "")];
}
