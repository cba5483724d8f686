// Words that tell nothing about a question, because every question has them, in the seven languages that the agents
// speak; and what language a text is in, by them.

const BY_LANGUAGE = {
  en: 'a an the and or but if is are was were be been do does did can could will would should may might have has had i you he she it we they me my your his her its our their this that these those there here what which who whom whose when where why how much many of in on at by for from to with about into over under again any some no not only own same so than too very just please tell know like want need get got hello hi okay yes thanks thank give say said let us am im id ill whats um uh er erm em hmm mm yeah yep right well now then really actually basically maybe sorry excuse wondering wonder guys thing things stuff sort kind look looking see s lets don t doesn isn m dont isnt gonna wanna also still morning afternoon evening day today called call mean bit little getting going go through up down off out upon during while until since because as whether anything something everything nothing anyone someone everyone anybody somebody everybody else another other others each every both either neither such more most always never ever meanwhile already almost quite rather instead however anyway though although even yet somehow perhaps must shall one ones make makes made making whole around',
  de: 'der die das den dem des ein eine einen einem einer eines und oder aber wenn ist sind war waren bin bist sein haben hat habe hatte kann können könnte wird werden würde soll ich du er sie es wir ihr mich mir dir uns euch mein dein ihre ihren unser was welche welcher welches wer wann wo warum wie viel viele von in im an am auf bei für mit zu zum zur über aus nach nicht kein keine nur auch noch schon sehr bitte mal doch denn da hier dort hallo ja nein danke sagen wissen möchte äh ähm hm na tja also ach so naja halt eben gerne gern guten tag morgen abend moin servus grüß gott frage fragen wollte wollen hätte hätten irgendwie eigentlich einfach ganz dann ob weil dass s gibt geht gehen machen macht mach tun tut ihnen dazu davon dafür daran dabei rechnen läuft jetzt heute man wieder alle etwas muss musst müssen müsst musste durch gegen ohne um seit beim ins ans vom während bis zwischen dieser diese dieses diesen jeder jede jedes immer nie niemals vielleicht wirklich mehr meine meinen meinem meiner seinen ihrem ihrer darf dürfen durfte mag mögen sollte sollten sollen worden wurde wurden geworden gewesen hatten könnten wäre wären nun als damit deshalb jemand niemand selbst bisschen etwa ungefähr sich unsere unserem unseren rein raus drin',
  fr: 'le la les un une des du de et ou mais si est sont était être avoir ai as a avez avons ont peut peux pouvez je tu il elle nous vous ils elles me te se mon ton son ma ta sa mes vos votre notre ce cette ces que qui quoi quel quelle quels quelles quand où pourquoi comment combien en dans sur à au aux par pour avec sans ne pas plus très bien s plaît bonjour oui non merci dire savoir voudrais c euh ben bah alors donc voilà bonsoir madame monsieur j est-ce peu faire fait aussi suis êtes sommes étais étaient serait faut faudrait dois doit devez devons vais va vont aller leur leurs nos ça cela celui celle lui chez vers depuis avant après entre contre sous tout toute tous toutes encore déjà toujours jamais rien quelque quelques chose autre autres même trop moins veux veut voulez aimerais',
  es: 'el la los las un una unos unas y o pero si es son era ser estar está están hay he ha han tener tiene tienen puede puedo yo tú él ella nosotros ustedes me te se mi tu su mis sus este esta estos que qué quién cuál cuándo dónde cómo cuánto cuánta de del en con por para sin sobre al no más muy favor hola sí gracias decir saber quiero quisiera eh pues bueno entonces buenos buenas días tardes señor señora también hacer soy eres somos estoy estamos fue fueron sido voy vamos lo le les nos nuestro nuestra eso esa ese esos esas algo nada nadie alguien cada todo toda todos todas otro otra otros otras cuántos cuántas desde hasta entre hacia durante antes después ya aún todavía siempre nunca así tan tanto mucho mucha muchos muchas poco quiere queremos debo debe tengo tenemos hago hace',
  it: 'il lo la i gli le un uno una e o ma se è sono era essere avere ho hai ha hanno può posso io tu lui lei noi voi loro mi ti si mio tuo suo questo questa questi che chi quale quando dove perché come quanto di del della dei in nel con per da su non più molto favore ciao sì no grazie dire sapere vorrei ehm allora ecco buongiorno buonasera signore signora anche fare siamo siete sei erano stato stata faccio vado andare devo deve dobbiamo voglio vuole vogliamo avrei avete abbiamo ci ne quello quella quelli qualche qualcosa niente nessuno qualcuno ogni tutto tutta tutti tutte altro altra altri dal dalla dai nella nello sul sulla al alla allo alle fra tra durante dopo già ancora sempre così tanto poco quanta quanti quante',
  nl: 'de het een en of maar als is zijn was waren ben hebben heeft heb kan kunnen zou wil ik jij je u hij zij ze wij we mij mijn jouw uw hun ons dit dat deze die wat welke wie wanneer waar waarom hoe veel van in op aan bij voor met naar over uit niet geen ook nog al heel graag alstublieft hallo ja nee dank zeggen weten eh uhm goedemorgen goedemiddag dag meneer mevrouw even eens dus mag moet moeten moest wordt worden werd werden wilt willen gaan gaat ga doe doet doen hadden daar er toch wel weer altijd nooit iets niets iemand niemand alles elke ieder onder tussen tegen tot tijdens sinds zonder om dan omdat meer minder weinig zo zoals hoeveel welk onze hem haar zich',
  pt: 'o a os as um uma uns umas e ou mas se é são era ser estar está tem têm ter há posso pode eu tu ele ela nós vocês me te meu minha seu sua este esta isto que quem qual quando onde como quanto quanta de do da dos das em no na com por para sem sobre não mais muito favor olá sim obrigado obrigada dizer saber queria hã pois então bom boa dia tarde senhor senhora também fazer sou somos estou estão fui foi foram vou vai vamos faço faz devo deve preciso precisa gostaria queremos quer lhe lhes nos nosso nossa esse essa isso aquele aquela algo nada ninguém alguém cada todo toda todos todas outro outra outros outras ao aos pelo pela num numa entre até desde durante antes depois já ainda sempre nunca assim tão tanto quantos quantas',
} as const;

export type WordLanguage = keyof typeof BY_LANGUAGE;

const LANGUAGES = Object.entries(BY_LANGUAGE).map(([language, words]) => ({
  language: language as WordLanguage,
  words: new Set(words.split(' ')),
}));
const ALL = new Set(LANGUAGES.flatMap(({ words }) => [...words]));

/** Whether the word, in small letters, tells nothing. */
export const isStopWord = (word: string): boolean => ALL.has(word);

/** As much of a text tells its language. */
const READ_CHARS = 20_000;

/** By which language's small words it has most; English where it has none. */
export function languageOf(text: string): WordLanguage {
  const words =
    text
      .slice(0, READ_CHARS)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  let most: WordLanguage = 'en';
  let mostWords = 0;
  for (const { language, words: small } of LANGUAGES) {
    const count = words.reduce((sum, word) => sum + (small.has(word) ? 1 : 0), 0);
    if (count > mostWords) [most, mostWords] = [language, count];
  }
  return most;
}
