// The texts of mails in seven languages. A placeholder stands in double braces; a link and a code have a line of their
// own, by which they are found when the HTML is made.
import type { MailLanguage } from './mail-language.ts';

export interface Letter {
  subject: string;
  text: string;
}

interface Letters {
  /** {{url}} */
  verification: Letter;
  /** {{account}}, {{url}} */
  invitation: Letter;
  /** {{code}} */
  reset: Letter;
  /** {{number}}, {{status}}, {{details}} */
  port: Letter;
  /** States of a port order; REJECTED has {{reason}} and FOC_SCHEDULED has {{date}} among its details. */
  statuses: Record<'SUBMITTED' | 'IN_REVIEW' | 'FOC_SCHEDULED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED', string>;
  reason: string;
  date: string;
}

export const LETTERS: Readonly<Record<MailLanguage, Letters>> = {
  en: {
    verification: {
      subject: 'Verify your e-mail address',
      text: 'Welcome.\n\nPlease verify your e-mail address by opening this link within 24 hours:\n\n{{url}}\n\nIf you did not register, ignore this mail.\n',
    },
    invitation: {
      subject: 'You are invited to {{account}}',
      text: 'You are invited to the account "{{account}}".\n\nOpen this link within 7 days to set your password:\n\n{{url}}\n',
    },
    reset: {
      subject: 'Your password reset code',
      text: 'Your code to reset the password is\n\n{{code}}\n\nIt is good for 15 minutes. If you did not ask for it, ignore this mail: your password is unchanged.\n',
    },
    port: {
      subject: 'Your number {{number}}: {{status}}',
      text: 'The order to bring your number {{number}} here has moved: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'submitted',
      IN_REVIEW: 'in review',
      FOC_SCHEDULED: 'the day of the change is fixed',
      COMPLETED: 'completed, the number is in your account',
      REJECTED: 'rejected',
      CANCELLED: 'cancelled',
    },
    reason: 'Reason: {{reason}}',
    date: 'Day of the change: {{date}}',
  },
  de: {
    verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
      text: 'Willkommen.\n\nBitte bestätigen Sie Ihre E-Mail-Adresse, indem Sie innerhalb von 24 Stunden diesen Link öffnen:\n\n{{url}}\n\nWenn Sie sich nicht angemeldet haben, beachten Sie diese Mail nicht.\n',
    },
    invitation: {
      subject: 'Einladung zu {{account}}',
      text: 'Sie sind zum Konto „{{account}}“ eingeladen.\n\nÖffnen Sie innerhalb von 7 Tagen diesen Link, um Ihr Passwort zu setzen:\n\n{{url}}\n',
    },
    reset: {
      subject: 'Ihr Code für ein neues Passwort',
      text: 'Ihr Code, um ein neues Passwort zu setzen, ist\n\n{{code}}\n\nEr gilt 15 Minuten. Wenn Sie ihn nicht verlangt haben, beachten Sie diese Mail nicht: Ihr Passwort bleibt, wie es ist.\n',
    },
    port: {
      subject: 'Ihre Nummer {{number}}: {{status}}',
      text: 'Beim Auftrag, Ihre Nummer {{number}} hierher zu bringen, gibt es Neues: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'eingereicht',
      IN_REVIEW: 'in Prüfung',
      FOC_SCHEDULED: 'der Tag des Wechsels steht fest',
      COMPLETED: 'abgeschlossen, die Nummer ist in Ihrem Konto',
      REJECTED: 'abgelehnt',
      CANCELLED: 'abgebrochen',
    },
    reason: 'Grund: {{reason}}',
    date: 'Tag des Wechsels: {{date}}',
  },
  fr: {
    verification: {
      subject: 'Confirmez votre adresse e-mail',
      text: 'Bienvenue.\n\nVeuillez confirmer votre adresse e-mail en ouvrant ce lien dans les 24 heures :\n\n{{url}}\n\nSi vous ne vous êtes pas inscrit, ignorez ce message.\n',
    },
    invitation: {
      subject: 'Vous êtes invité à rejoindre {{account}}',
      text: 'Vous êtes invité à rejoindre le compte « {{account}} ».\n\nOuvrez ce lien dans les 7 jours pour définir votre mot de passe :\n\n{{url}}\n',
    },
    reset: {
      subject: 'Votre code pour un nouveau mot de passe',
      text: "Votre code pour définir un nouveau mot de passe est\n\n{{code}}\n\nIl est valable 15 minutes. Si vous ne l'avez pas demandé, ignorez ce message : votre mot de passe reste inchangé.\n",
    },
    port: {
      subject: 'Votre numéro {{number}} : {{status}}',
      text: 'La demande de portabilité de votre numéro {{number}} a avancé : {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'envoyée',
      IN_REVIEW: "en cours d'examen",
      FOC_SCHEDULED: 'la date du transfert est fixée',
      COMPLETED: 'terminée, le numéro est dans votre compte',
      REJECTED: 'refusée',
      CANCELLED: 'annulée',
    },
    reason: 'Raison : {{reason}}',
    date: 'Date du transfert : {{date}}',
  },
  es: {
    verification: {
      subject: 'Confirme su dirección de correo',
      text: 'Le damos la bienvenida.\n\nConfirme su dirección de correo abriendo este enlace en las próximas 24 horas:\n\n{{url}}\n\nSi no se ha registrado, ignore este mensaje.\n',
    },
    invitation: {
      subject: 'Invitación a {{account}}',
      text: 'Le han invitado a la cuenta «{{account}}».\n\nAbra este enlace en un plazo de 7 días para establecer su contraseña:\n\n{{url}}\n',
    },
    reset: {
      subject: 'Su código para una nueva contraseña',
      text: 'Su código para establecer una nueva contraseña es\n\n{{code}}\n\nEs válido durante 15 minutos. Si no lo ha pedido, ignore este mensaje: su contraseña no cambia.\n',
    },
    port: {
      subject: 'Su número {{number}}: {{status}}',
      text: 'La solicitud de portabilidad de su número {{number}} ha avanzado: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'enviada',
      IN_REVIEW: 'en revisión',
      FOC_SCHEDULED: 'la fecha del cambio está fijada',
      COMPLETED: 'completada, el número está en su cuenta',
      REJECTED: 'rechazada',
      CANCELLED: 'cancelada',
    },
    reason: 'Motivo: {{reason}}',
    date: 'Fecha del cambio: {{date}}',
  },
  it: {
    verification: {
      subject: 'Confermi il Suo indirizzo e-mail',
      text: 'Benvenuto.\n\nConfermi il Suo indirizzo e-mail aprendo questo link entro 24 ore:\n\n{{url}}\n\nSe non si è registrato, ignori questo messaggio.\n',
    },
    invitation: {
      subject: 'Invito a {{account}}',
      text: 'È stato invitato all’account «{{account}}».\n\nApra questo link entro 7 giorni per impostare la Sua password:\n\n{{url}}\n',
    },
    reset: {
      subject: 'Il Suo codice per una nuova password',
      text: 'Il Suo codice per impostare una nuova password è\n\n{{code}}\n\nVale 15 minuti. Se non l’ha chiesto, ignori questo messaggio: la Sua password resta invariata.\n',
    },
    port: {
      subject: 'Il Suo numero {{number}}: {{status}}',
      text: 'La richiesta di portabilità del Suo numero {{number}} è avanzata: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'inviata',
      IN_REVIEW: 'in esame',
      FOC_SCHEDULED: 'la data del passaggio è fissata',
      COMPLETED: 'completata, il numero è nel Suo account',
      REJECTED: 'rifiutata',
      CANCELLED: 'annullata',
    },
    reason: 'Motivo: {{reason}}',
    date: 'Data del passaggio: {{date}}',
  },
  nl: {
    verification: {
      subject: 'Bevestig uw e-mailadres',
      text: 'Welkom.\n\nBevestig uw e-mailadres door deze link binnen 24 uur te openen:\n\n{{url}}\n\nHebt u zich niet aangemeld, negeer dan dit bericht.\n',
    },
    invitation: {
      subject: 'Uitnodiging voor {{account}}',
      text: 'U bent uitgenodigd voor het account "{{account}}".\n\nOpen deze link binnen 7 dagen om uw wachtwoord in te stellen:\n\n{{url}}\n',
    },
    reset: {
      subject: 'Uw code voor een nieuw wachtwoord',
      text: 'Uw code om een nieuw wachtwoord in te stellen is\n\n{{code}}\n\nDe code is 15 minuten geldig. Hebt u er niet om gevraagd, negeer dan dit bericht: uw wachtwoord blijft zoals het is.\n',
    },
    port: {
      subject: 'Uw nummer {{number}}: {{status}}',
      text: 'De aanvraag om uw nummer {{number}} over te zetten is verder: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'ingediend',
      IN_REVIEW: 'in behandeling',
      FOC_SCHEDULED: 'de dag van de overstap staat vast',
      COMPLETED: 'afgerond, het nummer staat in uw account',
      REJECTED: 'afgewezen',
      CANCELLED: 'geannuleerd',
    },
    reason: 'Reden: {{reason}}',
    date: 'Dag van de overstap: {{date}}',
  },
  pt: {
    verification: {
      subject: 'Confirme o seu endereço de e-mail',
      text: 'Bem-vindo.\n\nConfirme o seu endereço de e-mail abrindo este link nas próximas 24 horas:\n\n{{url}}\n\nSe não se registou, ignore esta mensagem.\n',
    },
    invitation: {
      subject: 'Convite para {{account}}',
      text: 'Foi convidado para a conta "{{account}}".\n\nAbra este link no prazo de 7 dias para definir a sua palavra-passe:\n\n{{url}}\n',
    },
    reset: {
      subject: 'O seu código para uma nova palavra-passe',
      text: 'O seu código para definir uma nova palavra-passe é\n\n{{code}}\n\nÉ válido durante 15 minutos. Se não o pediu, ignore esta mensagem: a sua palavra-passe não muda.\n',
    },
    port: {
      subject: 'O seu número {{number}}: {{status}}',
      text: 'O pedido de portabilidade do seu número {{number}} avançou: {{status}}.{{details}}\n',
    },
    statuses: {
      SUBMITTED: 'enviado',
      IN_REVIEW: 'em análise',
      FOC_SCHEDULED: 'a data da mudança está marcada',
      COMPLETED: 'concluído, o número está na sua conta',
      REJECTED: 'recusado',
      CANCELLED: 'cancelado',
    },
    reason: 'Motivo: {{reason}}',
    date: 'Data da mudança: {{date}}',
  },
};

/** The letter with its placeholders filled. */
export function filled({ subject, text }: Letter, values: Readonly<Record<string, string>>): Letter {
  return { subject: filledText(subject, values), text: filledText(text, values) };
}

/** The same of one text. */
export const filledText = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
