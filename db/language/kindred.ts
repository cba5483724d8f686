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
warm heat heating hot lukewarm
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
hurt pain ache sore painful
begin start
lost lose missing found forgot forgotten left property
luggage baggage suitcase bag
hire rent rental
return bring back
collect pick pickup collection
accident crash collision bump
debit credit card
cash money
insurance cover insured protection
breakdown tow died stranded stuck
glass windscreen chip crack stone
smoke smoking cigarette
leak leaking drip dripping
power electricity outage blackout
light lamp led blink blinking flash flashing
smell odour odor stink
deliver delivery ship shipping parcel package courier
urgent emergency immediately quickly
appointment booking reservation slot
book reserve schedule appointment
instalment instalments payment
job vacancy career hiring apply
doctor dentist physician
medicine medication pill pills tablet tablets drug
pregnant pregnancy
student pupil
elderly senior pensioner
room bedroom radiator
talk speak language
shower bath hot
stay sleep overnight night
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
gebiss prothese zahnersatz
weiss weisser bleaching aufhellen heller
blutet bluten blutung nachblutung
angst panik furcht nervos
versicherung krankenkasse kasse versichert
rontgen rontgenbild rontgenbilder aufnahmen
herausgefallen rausgefallen ausgefallen verloren verlust ausgeschlagen
abgebrochen durchgebrochen gebrochen
wange backe gesicht
betaubung spritze narkose
rechnung beleg quittung
adresse anschrift anfahrt weg standort
telefon anrufen telefonnummer handy
strom stromausfall
warm heiss heizung heizen warme
kalt kuhl kuhlen frost
laut larm gerausch
leise ruhig
wagen auto fahrzeug
mieten leihen miete
zuruckgeben ruckgabe abgeben
abholen abholung
kundigen kundigung beenden vertrag
garantie gewahrleistung
lieferung liefern versand paket
schnell dringend sofort eilig
hund katze haustier tier
rauchen zigarette
schwanger schwangerschaft
termin buchung reservierung
gezogen ziehen entfernt extraktion
`;
const FRENCH = `
prix tarif cout couter cher payer frais euro
annuler annulation rembourser remboursement
changer modifier deplacer reporter
ouvert ouverture horaires heures ferme fermeture
adresse lieu situe trouver
garer parking stationner stationnement
enfant enfants fils fille bebe
casse panne reparer reparation defaut
douleur mal douloureux
facture recu
livrer livraison colis envoyer
urgent urgence vite
chien chat animal animaux
rendre retourner retour
louer location
voiture vehicule
perdu perdre oublie objets
garantie assurance
`;
const SPANISH = `
precio tarifa coste costar cuesta caro pagar cobro euro
cancelar cancelacion anular reembolso
cambiar modificar aplazar mover
abierto apertura horario horas cerrado abren cierran
direccion lugar ubicacion encontrar
aparcar aparcamiento parking estacionar
nino ninos hijo hija bebe
roto averia reparar reparacion defecto
dolor duele doloroso
factura recibo
enviar envio entrega paquete
urgente urgencia rapido
perro gato animal mascota
devolver devolucion
alquilar alquiler
coche vehiculo carro
perdido perder olvidado objetos
garantia seguro
`;
const ITALIAN = `
prezzo tariffa costo costare costa caro pagare euro
annullare annullamento disdire disdetta rimborso
cambiare modificare spostare rimandare
aperto apertura orario orari chiuso chiudete
indirizzo luogo posizione trovare
parcheggiare parcheggio
bambino bambini figlio figlia neonato
rotto guasto riparare riparazione difetto
dolore male doloroso
fattura ricevuta scontrino
spedire spedizione consegna pacco
urgente urgenza emergenza subito
cane gatto animale animali
restituire riconsegna restituzione
noleggiare noleggio
auto macchina veicolo
perso perdere dimenticato smarrito oggetti
garanzia assicurazione
`;
const DUTCH = `
prijs tarief kosten kost duur betalen euro
annuleren annulering afzeggen terugbetaling
wijzigen veranderen verzetten verplaatsen
open openingstijden geopend gesloten sluiten
adres plaats locatie vinden
parkeren parkeerplaats parkeergarage
kind kinderen zoon dochter baby
kapot defect repareren reparatie storing
pijn zeer pijnlijk
factuur rekening bon
leveren levering bezorgen pakket verzenden
dringend spoed spoedgeval snel
hond kat huisdier dier
terugbrengen inleveren teruggeven
huren huur verhuur
auto wagen voertuig
verloren kwijt vergeten gevonden
garantie verzekering
`;
const PORTUGUESE = `
preco tarifa custo custa custar caro pagar euro
cancelar cancelamento desmarcar reembolso
mudar alterar remarcar adiar
aberto abertura horario horas fechado fecham abrem
endereco morada local localizacao
estacionar estacionamento
crianca criancas filho filha bebe
quebrado avariado avaria reparar reparacao conserto defeito
dor doi doloroso
fatura recibo
enviar envio entrega encomenda
urgente urgencia emergencia rapido
cao cachorro gato animal
devolver devolucao entrega
alugar aluguer aluguel
carro automovel veiculo viatura
perdido perder esquecido achados
garantia seguro
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

const MEANINGS = [
  meaningsOf(ENGLISH, 'en'),
  meaningsOf(GERMAN, 'de'),
  meaningsOf(FRENCH, 'fr'),
  meaningsOf(SPANISH, 'es'),
  meaningsOf(ITALIAN, 'it'),
  meaningsOf(DUTCH, 'nl'),
  meaningsOf(PORTUGUESE, 'pt'),
];

/** Terms of the same meaning as one of these terms; empty: none are known. */
export function kindredOf(terms: readonly string[]): string[] {
  const found = new Set(MEANINGS.flatMap((meanings) => terms.flatMap((term) => [...(meanings.get(term) ?? [])])));
  for (const term of terms) found.delete(term);
  return [...found];
}
