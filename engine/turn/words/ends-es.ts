// How often a Spanish caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const ES_ENDS: TurnEnds = {
  words: [
    [
      -3,
      'al aunque cada como cuando cuyo del donde e el esa ese esta estas este estos la las los mi mis ' +
        'nuestra nuestro o pero porque que si sino su sus tu tus u un una unas unos y',
    ],
    [
      -2.5,
      'a busco con de debo desde durante ellos en entre era es estoy está están gustaría ha había hacia ' +
        'han hasta he me necesito nosotros para podría por puedo querría quería quiero quisiera según sería ' +
        'sin sobre son soy tengo yo',
    ],
    [
      -2,
      'alguna algunas algunos algún bastante casi menos muy más nueva nuevo otra otras otro otros próxima ' +
        'próximo quizás solo sólo también todavía varios última último',
    ],
    [-1.5, 'cambiar cancelar confirmar hablar pedir reservar saber venir'],
    [-1, 'bien hay le les lo no se ya'],
    [
      0.5,
      'abierto bueno cita claro correcto dirección exacto factura genial gracias habitación horario libre ' +
        'mesa mí nombre número perfecto posible precio tarjeta usted ustedes vale',
    ],
    [
      1,
      'ahora allí aquí después día días dólares euros favor hora horas hoy luego mañana mediodía mes ' +
        'meses minutos mucho nada noche noches pasado personas semana semanas tarde todo',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      'cita el, cita para, hay un, hay una, me gustaría, necesito un, puede usted, puedo hacer, ' +
        'quiero una, tengo que',
    ],
    [
      1.5,
      '0 horas, 0 personas, conmigo mismo, es todo, eso es, está bien, la mañana, la noche, la tarde, ' +
        'me parece, nada más, para mí, para nosotros',
    ],
  ],
};
