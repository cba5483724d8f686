// Sentences that recognisers trained on subtitles write where nobody spoke: credits and the end of videos, by the
// language in which they are written. A recogniser may write any of them in any call, so all are compared. Lower case,
// without punctuation; `…` at the end: whatever follows belongs to it. Nobody says them on the telephone: a plain
// "thank you" is in `DOUBTFUL`, which counts as unsaid only where the recogniser itself is unsure.

export const NEVER_SAID: Readonly<Record<string, readonly string[]>> = {
  en: [
    ...['thank you for watching', 'thanks for watching', 'thank you so much for watching', 'thank you for listening'],
    ...['thank you very much for watching', 'please subscribe', 'please subscribe to my channel', 'like and subscribe'],
    ...['dont forget to subscribe', 'subscribe to my channel', 'see you in the next video', 'ill see you next time'],
    ...['subtitles by …', 'captions by …', 'transcription by …', 'transcribed by …', 'translated by …'],
    ...['this video is sponsored by …', 'www mooji org'],
  ],
  de: [
    ...['vielen dank fürs zuschauen', 'danke fürs zuschauen', 'vielen dank für ihre aufmerksamkeit'],
    ...['danke fürs zuhören', 'bis zum nächsten mal auf diesem kanal', 'abonniert den kanal'],
    ...['untertitel …', 'untertitelung …', 'untertitelung des zdf …', 'copyright wdr …', 'swr …'],
  ],
  fr: [
    ...['merci davoir regardé cette vidéo', 'merci davoir regardé', 'abonnez vous à la chaîne', 'abonnez vous'],
    ...['noubliez pas de vous abonner', 'sous titres …', 'sous titrage …', 'sous titrage st 501'],
  ],
  es: [
    ...['gracias por ver el video', 'gracias por ver el vídeo', 'muchas gracias por ver el video', 'suscríbete'],
    ...['suscríbete al canal', 'no olvides suscribirte', 'gracias por verlo', 'subtítulos …', 'subtitulado por …'],
  ],
  it: [
    ...[
      'grazie per aver guardato il video',
      'grazie per aver guardato',
      'iscriviti al canale',
      'iscrivetevi al canale',
    ],
    ...['grazie per la visione', 'sottotitoli …', 'sottotitoli e revisione a cura di …'],
  ],
  nl: [
    ...['bedankt voor het kijken', 'dank u wel voor het kijken', 'bedankt voor het kijken naar deze video'],
    ...[
      'abonneer je op het kanaal',
      'vergeet niet te abonneren',
      'ondertitels …',
      'ondertiteling …',
      'tv gelderland …',
    ],
  ],
  pt: [
    ...['obrigado por assistir', 'obrigada por assistir', 'obrigado por assistirem', 'inscreva se no canal'],
    ...['se inscreva no canal', 'não se esqueça de se inscrever', 'até o próximo vídeo', 'legendas …'],
    ...['legendado por …', 'legendas pela comunidade …'],
  ],
};

/** Said by people too. */
export const DOUBTFUL: Readonly<Record<string, readonly string[]>> = {
  en: ['you', 'thank you', 'thank you very much', 'bye', 'bye bye', 'okay', 'so', 'oh', 'uh', 'i', 'the end'],
  de: ['vielen dank', 'danke', 'danke schön', 'tschüss', 'ja', 'so', 'das wars', 'bis zum nächsten mal'],
  fr: ['merci', 'merci beaucoup', 'au revoir', 'oui', 'voilà', 'à bientôt'],
  es: ['gracias', 'muchas gracias', 'adiós', 'hasta luego', 'sí', 'chau'],
  it: ['grazie', 'grazie mille', 'ciao', 'sì', 'ecco', 'a presto'],
  nl: ['dank u wel', 'bedankt', 'dank je wel', 'tot ziens', 'ja', 'doei'],
  pt: ['obrigado', 'obrigada', 'muito obrigado', 'tchau', 'sim', 'até logo'],
};
