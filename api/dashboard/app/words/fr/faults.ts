// The words of errors, with what to do in French, by their English ones.
export default {
  'You are not signed in any more. Sign in again.': 'Vous n’êtes plus connecté. Reconnectez-vous.',
  'It has been deleted. Choose another one.': 'Il a été supprimé. Choisissez-en un autre.',
  'This number is no longer on offer. Search again, and choose another.':
    'Ce numéro n’est plus proposé. Relancez la recherche et choisissez-en un autre.',
  'You have as many as an account may have. Delete one first.':
    'Vous en avez autant qu’un compte peut en avoir. Supprimez-en un d’abord.',
  'Too much of this is going on at the same time. Try again in a moment.':
    'Il y en a trop en même temps. Réessayez dans un instant.',
  'Too many attempts. Try again in some minutes.': 'Trop de tentatives. Réessayez dans quelques minutes.',
  'Calls cannot be made now. Try again in a few seconds. Administrators see the cause under Status.':
    'Les appels sont impossibles pour l’instant. Réessayez dans quelques secondes. Les administrateurs voient la cause sous État.',
  'All lines are in use. Try again when one of the running calls has ended.':
    'Toutes les lignes sont prises. Réessayez quand un appel en cours sera terminé.',
  'The service is busy or starting anew. Try again in a moment.':
    'Le service est occupé ou redémarre. Réessayez dans un instant.',
  'This link was used or has expired. Have a new one sent.':
    'Ce lien a déjà servi ou a expiré. Demandez-en un nouveau.',
  'The code is wrong, used or too old. Have a new one sent.':
    'Le code est faux, déjà utilisé ou trop ancien. Demandez-en un nouveau.',
  'The password is wrong.': 'Le mot de passe est faux.',
  'The code is wrong. Take the one that the app shows now.':
    'Le code est faux. Prenez celui que l’application montre maintenant.',
  'The code is wrong or too old. Take the one that the app shows now, or sign in anew.':
    'Le code est faux ou trop ancien. Prenez celui que l’application montre maintenant, ou reconnectez-vous.',
  'The page could not be read. Check its address, or type the facts in.':
    'La page n’a pas pu être lue. Vérifiez son adresse, ou saisissez les informations.',
  'The document could not be read. Check that it opens, and that it has no password.':
    'Le document n’a pas pu être lu. Vérifiez qu’il s’ouvre et n’a pas de mot de passe.',
  'Nothing is sent to this address. It must be a public https address.':
    'Rien n’est envoyé à cette adresse. Il faut une adresse https publique.',
  'The address did not answer as it must. Check that your system runs and answers 2xx.':
    'L’adresse n’a pas répondu comme il faut. Vérifiez que votre système tourne et répond 2xx.',
  'E-mail address or password is wrong. Try again, or set a new password.':
    'Adresse e-mail ou mot de passe incorrect. Réessayez, ou choisissez un nouveau mot de passe.',
  'The sign-in did not work. Begin it again.': 'La connexion n’a pas abouti. Recommencez.',
  'Your role does not allow this. Ask somebody who manages the account.':
    'Votre rôle ne le permet pas. Demandez à qui gère le compte.',
  'Your e-mail address is not confirmed yet. Open the link in the mail that you were sent.':
    'Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien du message reçu.',
  'Passwords are off here. Use the sign-in of your company.':
    'Les mots de passe sont désactivés ici. Utilisez la connexion de votre société.',
  'The sign-in was refused.': 'La connexion a été refusée.',
  'New accounts are made by invitation here. Ask the operator for one.':
    'Ici, les nouveaux comptes se créent sur invitation. Demandez-en une à l’exploitant.',
  'It is not there any more, or belongs to another account. Go back to the list.':
    'Cela n’existe plus, ou appartient à un autre compte. Revenez à la liste.',
  'The agent is switched off. Switch it on, or choose another.':
    'L’agent est désactivé. Activez-le, ou choisissez-en un autre.',
  'A running campaign uses this agent. Pause the campaign first.':
    'Une campagne en cours utilise cet agent. Mettez-la d’abord en pause.',
  'The built-in receptionist takes no instructions. Have it say your words.':
    'L’accueil intégré ne prend pas de consignes. Faites-lui dire vos mots.',
  'Another appointment is at that time. Choose another time.':
    'Un autre rendez-vous est à cette heure. Choisissez-en une autre.',
  'The operator has not set up sign-ins to Google and Microsoft yet.':
    'L’exploitant n’a pas encore réglé la connexion à Google et Microsoft.',
  'The call has not ended yet. End it first.': 'L’appel n’est pas terminé. Terminez-le d’abord.',
  'The call has ended already.': 'L’appel est déjà terminé.',
  'Nobody has answered yet. Try again once the call is answered.':
    'Personne n’a encore répondu. Réessayez une fois l’appel pris.',
  'Somebody talks to the caller already.': 'Quelqu’un parle déjà à l’appelant.',
  'The caller was put through to a person already.': 'L’appelant a déjà été passé à une personne.',
  'An answering machine has taken the call.': 'Un répondeur a pris l’appel.',
  'The campaign is running. Pause it first.': 'La campagne est en cours. Mettez-la d’abord en pause.',
  'The campaign is over and calls nobody any more. Choose another one.':
    'La campagne est finie et n’appelle plus personne. Choisissez-en une autre.',
  'The campaign has no phone number. Give it one in its settings.':
    'La campagne n’a pas de numéro. Donnez-lui-en un dans ses paramètres.',
  'The campaign is paused. Resume it first.': 'La campagne est en pause. Reprenez-la d’abord.',
  'The campaign has changed meanwhile. Load the page again.': 'La campagne a changé entre-temps. Rechargez la page.',
  'A version is being tried already. Publish it, discard it or stop it first.':
    'Une version est déjà à l’essai. Publiez-la, abandonnez-la ou arrêtez-la d’abord.',
  'Numbers of this carrier are in use. Release them first.':
    'Des numéros de cet opérateur sont utilisés. Libérez-les d’abord.',
  'There is no trunk at this carrier yet. Make it first.':
    'Il n’y a pas encore de trunk chez cet opérateur. Créez-le d’abord.',
  'The carrier refused it.': 'L’opérateur l’a refusé.',
  'The carrier does not answer. Try again in a few minutes.':
    'L’opérateur ne répond pas. Réessayez dans quelques minutes.',
  'Somebody else has changed this meanwhile: {fields}. What you typed still stands here. Save again to replace theirs, or discard to see it.':
    'Quelqu’un d’autre a modifié ceci entre-temps : {fields}. Votre saisie est toujours là. Enregistrez de nouveau pour remplacer sa modification, ou annulez la vôtre pour la voir.',
  'Somebody else changed it at the same time. Load it again, then change it.':
    'Quelqu’un l’a modifié en même temps. Rechargez, puis modifiez.',
  'The contact is being called. Wait until the call has ended.':
    'Le contact est en train d’être appelé. Attendez la fin de l’appel.',
  'No number of the campaign can send texts. Numbers of Twilio, Telnyx or Plivo can.':
    'Aucun numéro de la campagne ne peut envoyer de SMS. Ceux de Twilio, Telnyx ou Plivo le peuvent.',
  'There is an account with this e-mail address. Sign in, or set a new password.':
    'Un compte existe déjà avec cette adresse. Connectez-vous, ou choisissez un nouveau mot de passe.',
  'You do not listen to the call any more. Begin to listen again.':
    'Vous n’écoutez plus l’appel. Recommencez l’écoute.',
  'Nothing waits to be published.': 'Rien n’attend d’être publié.',
  'The carrier could not reach this service. The operator sets its address.':
    'L’opérateur ne pourrait pas atteindre ce service. L’exploitant règle l’adresse.',
  'Nothing can be paid here: no payment provider is set up.':
    'Rien ne peut être payé ici : aucun prestataire de paiement n’est réglé.',
  'The call is not recorded.': 'L’appel n’est pas enregistré.',
  'The caller is keying in a secret number. Wait until that is done.':
    'L’appelant saisit un numéro secret. Attendez qu’il ait fini.',
  'Another running campaign uses this number. Pause that one, or choose another number.':
    'Une autre campagne en cours utilise ce numéro. Mettez-la en pause, ou choisissez un autre numéro.',
  'Somebody has this number already.': 'Quelqu’un a déjà ce numéro.',
  'This number is not paid for. Check your card under Billing.':
    'Ce numéro n’est pas payé. Vérifiez votre carte sous Facturation.',
  'This number is on the do-not-call list. Take it off only if the person wants calls.':
    'Ce numéro est sur la liste « ne pas appeler ». Retirez-le seulement si la personne veut être appelée.',
  'The payment was declined. Use another card under Billing.':
    'Le paiement a été refusé. Utilisez une autre carte sous Facturation.',
  'An order for this number is under way already.': 'Une demande est déjà en cours pour ce numéro.',
  'This number is being bought already. Wait a moment.': 'Ce numéro est déjà en cours d’achat. Attendez un instant.',
  'An earlier purchase is being completed. Try again in a minute.':
    'Un achat précédent est en cours. Réessayez dans une minute.',
  'You have as many as your plan allows. Delete some, or choose a larger plan.':
    'Vous en avez autant que le permet votre forfait. Supprimez-en, ou prenez un forfait plus grand.',
  'Calls are being read again already. Wait until that is done.':
    'Des appels sont déjà relus. Attendez que ce soit fini.',
  'You cannot remove yourself. Ask somebody else in your team.':
    'Vous ne pouvez pas vous retirer vous-même. Demandez à quelqu’un d’autre de l’équipe.',
  'The operator has set this elsewhere: it cannot be changed here.':
    'L’exploitant a réglé cela ailleurs : impossible de le changer ici.',
  'Another softphone has this user name. Choose another.':
    'Un autre softphone a ce nom d’utilisateur. Choisissez-en un autre.',
  'You could not be called. Check the number, then try again.':
    'Vous n’avez pas pu être appelé. Vérifiez le numéro, puis réessayez.',
  'Not all required tests have passed. Open their last run, and mend what failed.':
    'Tous les tests requis n’ont pas réussi. Ouvrez leur dernière exécution et corrigez ce qui a échoué.',
  'Tests are running already. Wait until they are done.': 'Des tests sont déjà en cours. Attendez qu’ils finissent.',
  'The suite has no case yet. Add one first.': 'La série n’a pas encore de cas. Ajoutez-en un d’abord.',
  'An agent, a business or a campaign uses this tool. Take it out there first.':
    'Un agent, une entreprise ou une campagne utilise cet outil. Retirez-le d’abord là-bas.',
  'Another tool has this name. Choose another.': 'Un autre outil a ce nom. Choisissez-en un autre.',
  'The caller is being put through already.': 'L’appelant est déjà en cours de transfert.',
  'The file is too large. Split it, or make it smaller.': 'Le fichier est trop grand. Coupez-le, ou réduisez-le.',
  'This number may not be called from here. An administrator can allow its country.':
    'Ce numéro ne peut pas être appelé d’ici. Un administrateur peut autoriser son pays.',
  'Too many wrong passwords. Wait some minutes, or set a new password.':
    'Trop de mots de passe faux. Attendez quelques minutes, ou choisissez-en un nouveau.',
  'Your limit of text messages or of spending is reached. Nothing was sent.':
    'Votre limite de SMS ou de dépenses est atteinte. Rien n’a été envoyé.',
  'As many people listen as may. Try again when one has stopped.':
    'Le nombre d’écoutes est au maximum. Réessayez quand quelqu’un aura cessé.',
  'The minutes of your plan are used up. Billing shows when they begin again.':
    'Les minutes de votre forfait sont épuisées. La page Facturation dit quand elles recommencent.',
  'This recipient was sent ten messages within the hour. Try again later.':
    'Ce destinataire a reçu dix messages en une heure. Réessayez plus tard.',
  'The outbound minutes of this hour or day are spent. An administrator can allow more.':
    'Les minutes sortantes de cette heure ou de ce jour sont épuisées. Un administrateur peut en autoriser plus.',
  'Something went wrong in the service. Try again; if it stays, tell the operator the number below.':
    'Quelque chose a échoué dans le service. Réessayez ; si cela persiste, donnez à l’exploitant le numéro ci-dessous.',
  'Recordings and documents cannot be reached now. Try again in a few minutes.':
    'Enregistrements et documents sont injoignables pour l’instant. Réessayez dans quelques minutes.',
  'The sign-in of your company does not answer. Try again in a few minutes.':
    'La connexion de votre société ne répond pas. Réessayez dans quelques minutes.',
  'The language model gave no usable answer. Try again. Administrators test it under Models.':
    'Le modèle de langage n’a pas donné de réponse utilisable. Réessayez. Les administrateurs le testent sous Modèles.',
  'The test took too long. Try again.': 'Le test a été trop long. Réessayez.',
  'There is no trunk to call through. An administrator adds one under Trunks.':
    'Aucun trunk pour appeler. Un administrateur en ajoute un sous Trunks.',
  'The telephone provider does not answer. Administrators see the cause under Trunks.':
    'Le fournisseur de téléphonie ne répond pas. Les administrateurs voient la cause sous Trunks.',
  'The payment could not be made now. Try again in a few minutes.':
    'Le paiement n’a pas pu se faire. Réessayez dans quelques minutes.',
  'The voice could not be played. Try again in a moment.': 'La voix n’a pas pu être jouée. Réessayez dans un instant.',
  'This is not there any more: choose another one.': 'Cela n’existe plus : choisissez autre chose.',
  'Please fill this in.': 'Veuillez remplir ce champ.',
  'Write a whole address, which begins with https://': 'Écrivez l’adresse entière, qui commence par https://',
  'Write a whole e-mail address.': 'Écrivez une adresse e-mail complète.',
  'Choose a date and a time.': 'Choisissez une date et une heure.',
  'Choose a date.': 'Choisissez une date.',
  'Choose a time zone of the list.': 'Choisissez un fuseau horaire dans la liste.',
  'Choose a time that is still to come.': 'Choisissez un moment à venir.',
  'Choose a time that has passed.': 'Choisissez un moment passé.',
  'Choose two different times.': 'Choisissez deux heures différentes.',
  'Three letters, as EUR, USD or GBP.': 'Trois lettres, comme EUR, CHF ou USD.',
  'At most two decimals.': 'Deux décimales au plus.',
  'This is not right yet.': 'Ce n’est pas encore correct.',
  'Write the number with its country code, as +44 20 7946 0123.':
    'Écrivez le numéro avec l’indicatif du pays, comme +33 1 99 00 12 34.',
  'Calls to this number are not allowed here. An administrator can allow its country.':
    'Les appels vers ce numéro ne sont pas autorisés ici. Un administrateur peut autoriser son pays.',
  'At least {number} characters.': 'Au moins {number} caractères.',
  'At most {number} characters.': '{number} caractères au plus.',
  'At least {number} of them.': 'Au moins {number}.',
  'At most {number} of them.': '{number} au plus.',
  '{number} or more.': '{number} ou plus.',
  '{number} or less.': '{number} ou moins.',
  'More than {number}.': 'Plus de {number}.',
  'Less than {number}.': 'Moins de {number}.',
  'There is no softphone of this name.': 'Il n’y a pas de softphone de ce nom.',
};
