// The words of webhooks, API keys and the audit log in German, by their English ones.
export default {
  'All deliveries': 'Alle Zustellungen',
  'Failed only': 'Nur gescheiterte',
  'Delivered only': 'Nur zugestellte',
  Deliveries: 'Zustellungen',
  Show: 'Zeigen',
  'Nothing sent yet': 'Noch nichts gesendet',
  'No such delivery': 'Keine solche Zustellung',
  'Send a test': 'Test senden',
  'Deliveries are kept for 30 days.': 'Zustellungen werden 30 Tage aufbewahrt.',
  Event: 'Ereignis',
  Time: 'Dauer',
  Replay: 'Wiederholung',
  'Attempt {number}': 'Versuch {number}',
  Fault: 'Fehler',
  Payload: 'Inhalt',
  'Answer of the receiver': 'Antwort des Empfängers',
  'Without a body.': 'Ohne Inhalt.',
  'A replay sends the same bytes under the same webhook-id, with a new signature.':
    'Eine Wiederholung sendet dieselben Bytes unter derselben webhook-id, mit neuer Signatur.',
  'An inbound or browser call has arrived': 'Ein eingehender Anruf oder einer aus dem Browser ist da',
  'An outbound call is being placed': 'Ein ausgehender Anruf wird getätigt',
  'A call has ended, answered or not: with transcript and summary':
    'Ein Anruf ist beendet, angenommen oder nicht: mit Mitschrift und Zusammenfassung',
  'Beside call.ended: nobody answered, or it broke down': 'Neben call.ended: niemand nahm ab, oder er brach ab',
  'Beside call.ended: an answering machine took it': 'Neben call.ended: ein Anrufbeantworter nahm ab',
  'The caller was handed to a person': 'Der Anrufer wurde an einen Menschen übergeben',
  'A call goes on in another language': 'Ein Anruf geht in anderer Sprache weiter',
  'A call went on after its engine had died or was replaced':
    'Ein Anruf ging weiter, nachdem die Anlage ausgefallen oder ersetzt war',
  'What you want to know of a call was found after its end':
    'Was Sie von einem Anruf wissen wollen, liegt nach seinem Ende vor',
  'An appointment was booked on a call': 'In einem Anruf wurde ein Termin gebucht',
  'An appointment was moved, cancelled or booked again': 'Ein Termin wurde verschoben, abgesagt oder wieder gebucht',
  'A contact asked not to be called again': 'Ein Kontakt will nicht mehr angerufen werden',
  'Every contact of a campaign has been dealt with': 'Alle Kontakte einer Kampagne sind erledigt',
  'A port-in order has changed its status': 'Der Stand einer mitgebrachten Nummer hat sich geändert',
  'A version that led a share of the calls was published, or has gone back':
    'Eine Version, die einen Teil der Anrufe führte, wurde veröffentlicht oder zurückgenommen',
  'The outbound minutes of an hour or a day have reached a limit':
    'Die ausgehenden Minuten einer Stunde oder eines Tages haben eine Grenze erreicht',
  'The receiver answered 410 Gone, so the service stopped delivering.':
    'Der Empfänger antwortete mit 410 Gone, deshalb wird nicht mehr zugestellt.',
  'Every attempt of five days failed, so the service stopped delivering.':
    'Fünf Tage lang scheiterte jeder Versuch, deshalb wird nicht mehr zugestellt.',
  'It is switched off.': 'Er ist ausgeschaltet.',
  'Send it': 'Senden',
  'A complete sample, signed like any other. It is sent once and never repeated.':
    'Ein vollständiges Beispiel, signiert wie jedes andere. Es wird einmal gesendet und nie wiederholt.',
  URL: 'URL',
  'HTTPS, on a public address. It must answer a signed probe with 2xx within 10 seconds.':
    'HTTPS, an einer öffentlichen Adresse. Sie muss eine signierte Probe binnen 10 Sekunden mit 2xx beantworten.',
  'Choose none': 'Keine wählen',
  'Choose all': 'Alle wählen',
  'Choose at least one event.': 'Wählen Sie mindestens ein Ereignis.',
  'Create the webhook': 'Webhook anlegen',
  'Webhook created': 'Webhook angelegt',
  'Secret of its signatures': 'Geheimnis seiner Signaturen',
  'Give it to your receiver: each delivery carries {header}, an HMAC-SHA256 with the SHA-256 of this secret as its key.':
    'Geben Sie es Ihrem Empfänger: jede Zustellung trägt {header}, ein HMAC-SHA256 mit dem SHA-256 dieses Geheimnisses als Schlüssel.',
  'New secret: the old one is no longer used': 'Neues Geheimnis: das alte gilt nicht mehr',
  'Events of this time are not sent later. When the receiver works, switch it on: delivery starts with the next event.':
    'Ereignisse dieser Zeit werden nicht nachgesendet. Läuft der Empfänger wieder, schalten Sie ein: zugestellt wird ab dem nächsten Ereignis.',
  'Failed since the last success': 'Gescheitert seit dem letzten Erfolg',
  'Last delivery': 'Letzte Zustellung',
  'Rotate the secret?': 'Geheimnis ersetzen?',
  'Deliveries to {url} are signed with the new secret from now on. A receiver that still has the old one refuses them until you have changed it there.':
    'Zustellungen an {url} werden ab jetzt mit dem neuen Geheimnis signiert. Ein Empfänger mit dem alten weist sie ab, bis Sie es dort geändert haben.',
  'Rotate the secret': 'Geheimnis ersetzen',
  'Delete this webhook?': 'Diesen Webhook löschen?',
  '{url} receives no more events. Deliveries waiting for another attempt are dropped.':
    '{url} bekommt keine Ereignisse mehr. Zustellungen, die auf einen neuen Versuch warten, entfallen.',
  'Delete the webhook': 'Webhook löschen',
  'Webhook deleted': 'Webhook gelöscht',
  'Only a digest of it is kept: a lost secret is replaced, not looked up.':
    'Nur eine Prüfsumme wird aufbewahrt: ein verlorenes Geheimnis wird ersetzt, nicht nachgesehen.',
  'The log of its deliveries stays in the service for 30 days.':
    'Das Protokoll seiner Zustellungen bleibt 30 Tage im Dienst.',
  'Your system is told of calls, appointments and campaigns as they happen.':
    'Ihr System erfährt von Anrufen, Terminen und Kampagnen, sobald etwas geschieht.',
  'No webhooks yet': 'Noch keine Webhooks',
  'Enter an HTTPS address of your system and choose the events it should receive. Each delivery is signed, and retried for up to two days if your system does not answer.':
    'Geben Sie eine HTTPS-Adresse Ihres Systems an und wählen Sie die Ereignisse dafür. Jede Zustellung ist signiert und wird bis zu zwei Tage lang wiederholt, wenn Ihr System nicht antwortet.',
  '{first}, {second} and {count} more': '{first}, {second} und {count} weitere',
  'Stopped after failures': 'Nach Fehlern angehalten',
  '1 failed attempt': '1 gescheiterter Versuch',
  '{count} failed attempts': '{count} gescheiterte Versuche',
  Webhook: 'Webhook',
  'Calls, recordings, contacts, settings': 'Anrufe, Aufnahmen, Kontakte, Einstellungen',
  'Place, end and control calls, listen in, start campaigns':
    'Anrufe tätigen, beenden und steuern, mithören, Kampagnen starten',
  'Create, change and delete everything else': 'Alles Übrige anlegen, ändern und löschen',
  'When it is revoked': 'Wenn er widerrufen wird',
  'After 30 days': 'Nach 30 Tagen',
  'After 90 days': 'Nach 90 Tagen',
  'After a year': 'Nach einem Jahr',
  'New API key': 'Neuer API-Schlüssel',
  'Revoke “{name}”?': '„{name}“ widerrufen?',
  'Programs that use it are refused from now on. A revoked key cannot be brought back.':
    'Programme damit werden ab jetzt abgewiesen. Ein widerrufener Schlüssel kommt nicht zurück.',
  'Revoke the key': 'Schlüssel widerrufen',
  'API key revoked': 'API-Schlüssel widerrufen',
  'For programs that use the API. A key can do what you let it do with calls, campaigns and numbers, and nothing with passwords or people.':
    'Für Programme, die die API nutzen. Ein Schlüssel darf mit Anrufen, Kampagnen und Nummern, was Sie erlauben, und nichts mit Passwörtern oder Personen.',
  'No API keys yet': 'Noch keine API-Schlüssel',
  'Make one for each program, to see which keys are still in use and to revoke them one by one.':
    'Legen Sie für jedes Programm einen an: so sehen Sie, welche noch benutzt werden, und können sie einzeln widerrufen.',
  May: 'Darf',
  Everything: 'Alles',
  Never: 'Nie',
  Ends: 'Endet',
  'Revoke {name}': '{name} widerrufen',
  Revoke: 'Widerrufen',
  'API key “{name}”': 'API-Schlüssel „{name}“',
  'API key': 'API-Schlüssel',
  'The key': 'Der Schlüssel',
  'Create the key': 'Schlüssel anlegen',
  'The program that will use it': 'Das Programm, das ihn benutzen wird',
  'Nightly import': 'Nächtlicher Import',
  'It may': 'Er darf',
  'It ends': 'Er endet',
  'Who did what in this account. Names of fields are noted, their values never.':
    'Wer in diesem Konto was tat. Namen von Feldern werden vermerkt, ihre Werte nie.',
  'Who did what in the installation. Names of fields are noted, their values never.':
    'Wer in der Installation was tat. Namen von Feldern werden vermerkt, ihre Werte nie.',
  'Command line': 'Befehlszeile',
  Action: 'Vorgang',
  Record: 'Objekt',
  Fields: 'Felder',
  'IP address': 'IP-Adresse',
  'Nothing fits these filters': 'Nichts passt zu diesen Filtern',
  'Nothing is noted yet': 'Noch nichts vermerkt',
  'Each change of agents, businesses, campaigns, numbers and people is noted here, each sign-in, and each recording that somebody has heard. Entries stay for 400 days.':
    'Jede Änderung an Agenten, Betrieben, Kampagnen, Nummern und Personen ist hier vermerkt, jede Anmeldung und jede Aufnahme, die jemand angehört hat. Einträge bleiben 400 Tage.',
  'by an API key': 'mit einem API-Schlüssel',
  'Only entries of {name}': 'Nur Einträge von {name}',
  Appointment: 'Termin',
  'Model settings': 'Einstellungen der Modelle',
  'Port order': 'Nummernmitnahme',
  'Sign-in': 'Anmeldung',
  User: 'Benutzer',
  'Website key': 'Website-Schlüssel',
};
