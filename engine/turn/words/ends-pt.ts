// How often a Portuguese caller's turn ends after a word, or after two, beside a word that nobody knows. Nobody has
// counted it: there are no dialogues of customers at hand as for English (ends-en.ts). Each row is a class of words,
// such as articles, prepositions, words of time and amount, with the mean of the log odds of the same English words.
import type { TurnEnds } from './turn-words.ts';

export const PT_ENDS: TurnEnds = {
  words: [
    [
      -3,
      'a ao aos as cada como da das do dos e essa esse esta este mas meu meus minha minhas na nas no nos ' +
        'o onde os ou pela pelo porque quais qual quando que se seu seus sua suas um uma umas uns à às',
    ],
    [
      -2.5,
      'até com de desde devo durante eles em entre era estou está estão eu gostaria havia nós para ' +
        'poderia por posso pra preciso procuro queria quero sem seria sobre sou são tem tenho têm é',
    ],
    [
      -2,
      'ainda algum alguma algumas alguns bastante mais menos muito nova novo outra outras outro outros ' +
        'próxima próximo quase só talvez também última último',
    ],
    [-1.5, 'cancelar confirmar falar marcar mudar pedir remarcar reservar saber vir'],
    [-1, 'bem há já lhe não'],
    [
      0.5,
      'aberto bom cartão certo claro consulta conta endereço exato horário livre mesa mim morada nome ' +
        'número obrigada obrigado perfeito possível preço quarto você vocês ótimo',
    ],
    [
      1,
      'agora ali amanhã aqui depois dia dias euros favor hoje hora horas lá manhã meio-dia meses minutos ' +
        'mês nada noite noites pessoas reais semana semanas tarde tudo',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      'consulta para, eu preciso, eu queria, eu quero, gostaria de, há uma, marcar uma, posso fazer, ' +
        'preciso de, tem um, tem uma, tenho que',
    ],
    [
      1.5,
      '0 horas, 0 pessoas, comigo mesmo, está bem, para mim, para nós, por favor, pra mim, só isso, ' +
        'tudo bem, à noite, à tarde, é isso, é tudo',
    ],
  ],
};
