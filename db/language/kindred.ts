// Words of everyday talk for what documents call otherwise: what "how much" asks for is a cost, a "kid" a child. Each
// line is one meaning; its words are looked for beside the one that was said, and count less.
import { folded, stemIn } from './stems.ts';
import type { WordLanguage } from './words.ts';

const ENGLISH = `
cost price fee charge expensive cheap pay euro surcharge
buy purchase order
repair fix broken defective fault failed damage
loud noise noisy sound quiet decibel hum
strong output power kilowatt
child kid boy girl son daughter baby toddler children
husband wife spouse partner
car vehicle
windscreen windshield
tyre tire puncture flat wheel
motorway highway toll
holiday vacation away
cancel cancellation refund
change move postpone reschedule
late delay delayed
early sooner
extend extension longer extra
old age minimum older young
licence license test permit
fuel petrol diesel gas tank
stolen theft steal
ticket fine penalty
drive driver driving
dog cat pet animal
bill invoice receipt
address location place
open opening hours
phone call telephone number
complain complaint unhappy
email mail
internet wifi wireless network online router
data privacy information stored
password login account
wheelchair disabled accessible ramp
border abroad country
ferry boat ship
train tram bus shuttle
key keys lock locked
warm heat heating hot
cold cool frost freeze
lower reduce
switch start
clean cleaning wash rinse dirty dirt
screen display panel
throw dispose disposal scrap recycle
guarantee warranty
technician fitter engineer service
bigger upgrade larger
discount cheaper reduction voucher
`;
const GERMAN = `
kaputt defekt gebrochen reparatur fehler
kosten preis teuer bezahlen zahlen zahlung zuzahlung euro gebuhr
kind tochter sohn baby jugendliche kleinkind
auto fahren parken parkplatz stellplatz
absagen absage verschieben stornieren
schmerz schmerzen weh
notdienst notfall
wochenende samstag sonntag feiertag
geschwollen schwellung dick
putzen pflege reinigen reinigung
fitness fitnessstudio sport training
essen fruhstucken trinken
rollstuhl rampe aufzug barrierefrei stufen
sprache ubersetzen sprechen
rezept medikament verschreiben tabletten
operation eingriff
zweitmeinung kostenvoranschlag plan
beschweren beschwerde unzufrieden
offen geoffnet offnungszeiten sprechzeiten
raten ratenzahlung
mitnehmen mitbringen kopie
krank krankschreibung attest arbeitsunfahig
`;

/** By the stem of a word. */
function meaningsOf(lines: string, language: WordLanguage): Map<string, Set<string>> {
  const meanings = new Map<string, Set<string>>();
  for (const line of lines.trim().split('\n')) {
    const stems = line.split(' ').map((word) => stemIn(folded(word), language));
    for (const stem of stems) meanings.set(stem, new Set([...(meanings.get(stem) ?? []), ...stems]));
  }
  return meanings;
}

const MEANINGS = [meaningsOf(ENGLISH, 'en'), meaningsOf(GERMAN, 'de')];

/** Terms of the same meaning as one of these terms; empty: none are known. */
export function kindredOf(terms: readonly string[]): string[] {
  const found = new Set(MEANINGS.flatMap((meanings) => terms.flatMap((term) => [...(meanings.get(term) ?? [])])));
  for (const term of terms) found.delete(term);
  return [...found];
}
