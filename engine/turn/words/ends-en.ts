// How often an English caller's turn ends after a word, or after two, beside a word that nobody knows: natural log
// odds in steps of a half, from -3 (hardly ever) to 1.5. Counted in the customers' 79,000 sentences of two corpora of
// service dialogues in sixteen trades (Schema-Guided Dialogue, CC BY-SA 4.0; Taskmaster-4, CC BY 4.0); a word stands
// here only if three groups of trades agree, and names of places were left out. Written dialogues tell nothing of a
// lone yes or no.
import type { TurnEnds } from './turn-words.ts';

export const EN_ENDS: TurnEnds = {
  words: [
    [
      -3,
      "a about an and any anything appreciate are around as been but can check could directed does don't " +
        "find finding for get give how i i'd i'll i'm i've if in interested is it's its just let let's like " +
        'long look looking make many might my near new next of on other pick prefer put really reserve ' +
        "searching seems send shared should some something sound sounds tell thank that'll that's thats the " +
        "their to try until very was we what what's when where whether which who will wish with would your",
    ],
    [
      -2.5,
      'able add allow allows also another changed come coming contact did go going heard keep leaving ' +
        'listen love luxury not per phone planning pretty purchase return serves share short so starting ' +
        "suits there's they till wanna want watching whats you've",
    ],
    [
      -2,
      'adventure be because being big buy buying by came change departing do especially feel forgot gets ' +
        'getting gonna has have having headed his hoping im kind leave lets locate looks making mood ' +
        'must preferably provide pull rather reach regular require see small still taking than that think ' +
        "this traveling type upcoming vegetarian we're weather were where's without won't you you're",
    ],
    [
      -1.5,
      "after am average bring called can't cast checking different doesn't doing expected funny had hear " +
        "high historical how's it'll little made move need nothing offer our over plan play probably " +
        'returning say schedule second seeing serve someone somewhere south specifically starring supposed ' +
        'things thinking travel up use wanting while',
    ],
    [
      -1,
      'assist at before call close convenient enjoy entry from got he life live moderate more name only ' +
        'places rental stay stuff table telephone those trying visiting year',
    ],
    [
      -0.5,
      'appointment attractions booking care choose confirm depart double fancy flight friend her ' +
        'interesting it me much off perhaps rent sports suitable watch works',
    ],
    [
      0.5,
      'best concert else film genre good home information kids list location music priced pricey recommend ' +
        'ride set song songs thanks ticket work',
    ],
    [
      1,
      'address allowed arrives available better cool cost costly director enough fine first food friendly ' +
        'further him info located morning options park people please range rating rooms seat seats there us ' +
        'venue wanted',
    ],
    [
      1.5,
      'afternoon again ago area assistance avenue awesome bye choice city correct day days device earlier ' +
        'evening fee great helpful here higher ideal instead moment month nearby needed night now number ' +
        'option others perfect person persons pm possible reference released service starts suggestions ' +
        'theater then though today tomorrow too town view week well yet',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      '0 at, a big, a different, a good, a little, a nice, a place, a regular, a rental, a small, also need, ' +
        'am traveling, and am, and at, and do, and it, and need, are you, at that, at this, be traveling, ' +
        'can you, car at, car from, change that, could you, day after, did you, directed by, do you, does it, ' +
        "does that, does this, don't need, don't think, else do, else you, find me, get me, give me, " +
        'great that, have live, help that, i am, i be, i enjoy, i feel, i forgot, i have, i know, i only, ' +
        "i plan, i won't, i'll be, if you, in need, in this, just need, let me, let's do, like you, " +
        'long before, look at, look up, make that, me at, might be, month at, need you, not at, not right, ' +
        'of this, on second, one way, only need, people at, pick it, place that, please buy, please change, ' +
        'please help, please schedule, pull up, reservation at, restaurant that, set up, should be, ' +
        "something that, songs by, table at, tell me, thanks that, that has, that you, that'll be, the mood, " +
        'there live, there that, think that, to buy, to change, to have, to leave, to need, to reach, ' +
        'to schedule, to travel, up at, up from, want you, weather be, what kind, what type, will be, will it, ' +
        'will need, will that, will this, will you, would be, would need, would you, yep that, you buy, ' +
        'you change, you play, you schedule, you show, you that',
    ],
    [
      -2.5,
      "0 from, a group, a one, change it, find out, how much, i got, i'll need, i'm all, i'm trying, if it, " +
        'it up, make it, make me, need help, need it, one more, please play, reserve me, room at, show me, ' +
        'some nice, try booking, want it, you assist, you please',
    ],
    [
      -2,
      'also help, be travelling, find any, find dates, find something, get back, go back, go on, going on, ' +
        "headed to, help me, i'm interested, is in, like one, looking for, me about, need one, need tickets, " +
        'really like, some good, some interesting, take me, the name, travelling to, weather is, what time, ' +
        'would it, you help',
    ],
    [
      -1.5,
      'a great, a house, and phone, and please, any good, are any, are there, at afternoon, at evening, ' +
        'at morning, be needing, can go, check it, check out, for all, go out, if there, is there, movie is, ' +
        'of music, short trip, the cab, the date, the room, the time, to help, to take, weather like, ' +
        'what else, what genre',
    ],
    [
      -1,
      'a cab, a movie, a trip, all that, and there, cab ride, check in, go to, good please, great please, ' +
        "how windy, i'm fine, is confirmed, is this, it is, just one, of movie, of that, only one, that all, " +
        'the day, to do, to start, want one, you have, you suggest',
    ],
    [
      -0.5,
      'a plan, a ride, are they, be like, can find, for that, for you, gonna be, help with, is that, ' +
        'like this, listen to, other available, please do, seems good, the best',
    ],
    [0, 'eat at, like that, stay in, the city, the cost, the rating, the rental'],
    [0.5, 'can watch, do it, it be, leave from, other attractions, thank you, the number'],
    [
      1,
      "0 room, 0 tickets, do that, for it, from you, got it, is nice, it's all, one room, so much, " +
        "sounds nice, that place, that's it, the tickets, this one, very much",
    ],
    [
      1.5,
      '0 am, all set, all thanks, appreciate it, be all, be good, be nice, contact them, cost me, ' +
        'for everything, for me, good one, great help, in it, it start, live music, me out, my group, ' +
        'now thanks, pretty good, really good, reserve it, that car, the help, this car, this movie, ' +
        'this time, to it, to me, very good, will do, with me, with that, your help',
    ],
  ],
};
