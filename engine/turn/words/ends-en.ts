// How often an English caller's turn ends after a word, or after two, beside a word that nobody knows: natural log
// odds in steps of a half, from -3 (hardly ever) to 1.5. Counted by bench/callers/count-ends.ts in the 79,000
// sentences of customers in two corpora of service dialogues in sixteen trades (Schema-Guided Dialogue, CC BY-SA 4.0;
// Taskmaster-4, CC BY 4.0). A word stands here only if three groups of trades have it, a pair if two have, and names
// were left out. Written dialogues tell nothing of a lone yes or no.
import type { TurnEnds } from './turn-words.ts';

export const EN_ENDS: TurnEnds = {
  words: [
    [
      -3,
      'a able allow allows an and any appreciate are around arrange as because been book but buying can ' +
        "changed check child clock coming contact could de departing did directed does don't especially feel " +
        "feeling find finding for forgot get give gonna had half heading heard his hoping how how's i i'd i'll " +
        "i'm i've if in is it'll it's its just keep large leaving let let's lets like living locate look " +
        'looking looks love make many maybe meet might my near next of on once other our outdoor past per pick ' +
        'picking planning prefer pretty provide pull put quarter quite rather really reasonably reserve return ' +
        'returning round search seems serves shared short should since small some sound sounds still suits ' +
        "supposed tell than thank that'll that's thats the their there's till to try until upcoming user very " +
        "wanna was watching we we'll we're what what's whats when where where's whether which who will wish " +
        "with without won't wondering would you're you've your",
    ],
    [
      -2.5,
      "about add also another anything big both bring buy change come current doesn't each even fly going " +
        "grab haven't having head helped hey include intend interested kind listen listening local long " +
        "luxurious luxury made making mood move must never not o'clock offers particularly phone probably " +
        'purchase reserving say searching seen send shall so someplace something spend staying taking they ' +
        "this tourist using via want were who's",
    ],
    [
      -2,
      "accept after am ask assist based be by came can't checking compact different during few final flying " +
        'getting has headed historical kid know least leave little main nothing old over pickup play ' +
        'preferably regular require serve serving she sized sort starting style that thinking told traveling ' +
        'type use usually vegetarian verify wanting while',
    ],
    [
      -1.5,
      'anywhere attractive average business called case condition craving departure doing drop from funny go ' +
        'got have he hear high hold hope laundry likely meeting moderate need needing nightly normal order ' +
        'performing reaches s schedule see seeing share sharing somewhere specific specifically stay such ' +
        'taken telephone things think thought travel trying up weather why you',
    ],
    [
      -1,
      'absolutely already arriving at before being booked budget cab call care choose close comfortable ' +
        'convenient depart diner do double enjoy entry expect finally into live meant more most musical name ' +
        'nope off only perhaps plan plans popular possibly rental residence scheduled shot someone spacious ' +
        'stuff suit suitable super t table take takes these those transportation travelling under visiting',
    ],
    [
      -0.5,
      'above ahead alternative amount attractions availability beginning bit booking bored comedy continue ' +
        'daily date down economical fancy flight form free friend friends guess happy her hotel hotels ' +
        "interesting isn't it last me mind money movie much needs offer or out particular places played " +
        'provided reach remember rent selected show similar size sports talk taxi thankful thriller through ' +
        'time tour vacation watch weekend wind works',
    ],
    [
      0.5,
      'activities activity affordable airport alright alternatives anymore arrive best bill burger cars ' +
        'category chance charge class concert confirmed decide destination duration else entertaining ' +
        'everything favorite film found game good happen home idea job kids later level list location lot ' +
        'music myself party passengers pets playing preferable preference preferred price priced pricey ' +
        'proceed quick real recommend ride said served set songs station stations stops thanks tickets vehicle ' +
        'visit wait work',
    ],
    [
      1,
      'address allowed apartments available band bath better bucks choices cool cost costly costs cuisine ' +
        'director enough evening fare fine first fish food friendly further him info information interest ' +
        'located matter mentioned morning museum options outside patio please range rating recommendations ' +
        'released rooms seat seats speaker start theater them there ticket us venue wanted',
    ],
    [
      1.5,
      'accordingly afternoon again ago alcohol amazing anyway appreciated area arrives assistance away ' +
        'awesome bathrooms baths bedrooms begin bunch bye children choice correct day days device display ' +
        'earlier enter excellent fantastic fee goodbye great helpful here higher ideal instead insurance liked ' +
        'moment month nearby necessary needed night now number online option others passenger people perfect ' +
        'perfectly person persons pm possible reference seating service services speed starts suggestions ' +
        'television then though tonight too town week well wifi wonderful ya yet',
    ],
  ],
  // "0" is any number.
  pairs: [
    [
      -3,
      '0 at, 0 hotel, 0 more, 0 or, 0 that, 0 way, a business, a different, a furnished, a good, a great, ' +
        'a historical, a laundry, a little, a moderate, a nice, a normal, a oneway, a performing, a place, ' +
        'a regular, a rental, a sports, alright that, also have, also help, also need, am all, am thinking, ' +
        'am traveling, am travelling, am wanting, an average, an entry, an interesting, and am, and at, and be, ' +
        'and do, and go, and have, and it, and need, and please, and schedule, and see, and that, and use, ' +
        'and you, any good, any live, anything from, apartment that, appointment at, are pets, area that, ' +
        'around that, at afternoon, at evening, at morning, at that, at while, attractions that, ' +
        'attractions you, available at, available that, be called, be checking, be from, be starting, ' +
        'be traveling, book at, book me, booking at, bucks from, but do, buy me, call it, can think, can use, ' +
        'can you, car at, car from, car starting, car that, car you, change it, change that, could be, could go, ' +
        'could you, day at, did that, did you, directed by, do need, do while, do you, does it, does that, ' +
        "dollars from, don't care, don't have, don't need, else do, else right, else that, else you, event take, " +
        'event that, event you, events that, find dates, find me, find out, find somewhere, find things, ' +
        'fine by, flight from, flights from, fly out, for only, for pickup, for somewhere, for things, get back, ' +
        'get me, give me, go at, go back, go from, going out, great that, has laundry, have laundry, have live, ' +
        'have that, heard that, help that, hotel that, hotels that, i am, i be, i enjoy, i got, i have, i hope, ' +
        "i know, i leave, i only, i plan, i schedule, i usually, i'd be, i'll be, i'll go, i'll leave, " +
        "i'll take, i'm after, i'm all, i'm headed, i'm into, i'm traveling, i'm travelling, i'm trying, " +
        "i've got, if it, if that, if there, if you, in need, in seeing, in while, interesting things, is at, " +
        "is called, it needs, it starting, it's called, just be, just need, keep it, know that, leave at, " +
        "let me, let you, let's do, let's go, let's play, let's schedule, let's see, lets go, long before, " +
        'look into, look up, make it, make me, make that, me at, me have, me know, me somewhere, might be, ' +
        'money from, month at, month from, more specifically, movie at, movie by, movie that, movie while, ' +
        'movies that, much do, much it, much that, much time, must be, must have, my bank, my departure, ' +
        'my free, name it, need at, need from, need help, need laundry, need nothing, need only, need right, ' +
        'need you, nope that, not at, not need, not right, now that, offer laundry, only be, only need, ' +
        'people at, perfect that, person at, pick it, picked up, picking it, picking up, place have, place that, ' +
        'play me, please go, please have, please help, please schedule, please share, please show, please use, ' +
        'pm at, pull up, put it, put that, rating or, regular cab, reservation at, restaurant at, ' +
        'restaurant that, return it, room at, rooms at, schedule me, search it, set it, set up, should be, ' +
        'should have, show at, show me, showing at, so that, some attractive, some good, some interesting, ' +
        'some nice, some things, something at, something by, something from, something that, song by, song that, ' +
        'song you, songs by, songs from, table at, tell me, thanks that, that has, that have, that leave, ' +
        "that you, that'll be, the amount, the departure, the final, the last, the only, the onward, the pickup, " +
        "the property's, the speaker, the starting, the suitable, there at, there from, there laundry, " +
        'there that, they do, they play, think that, think you, ticket from, tickets at, tickets from, ' +
        'tickets that, time at, to booking, to depart, to have, to leave, to need, to plan, to reach, ' +
        'to schedule, to share, to use, told me, told that, travel from, traveling from, travelling from, ' +
        'trip from, try booking, up at, up from, usually enjoy, vehicle from, visit that, wanna see, want you, ' +
        "watch at, we have, we'll be, weather be, week at, week from, what attractions, what do, what sort, " +
        'what times, what type, when do, when it, which you, will be, will it, will need, will only, will that, ' +
        "will you, won't be, would be, would it, would need, would that, would you, yea that, yep that, " +
        'you assist, you be, you call, you play, you please, you schedule, you share, you show, you that, ' +
        'yup that',
    ],
    [
      -2.5,
      '0 from, a free, a group, a spacious, a suitable, about events, again at, and arriving, and name, ' +
        'and watch, any interesting, anything interesting, attractive places, before it, book those, call me, ' +
        "car up, did it, don't do, don't think, evening at, events do, find interesting, food do, " +
        "for interesting, furnished or, good things, heading out, how expensive, how much, i please, i'll need, " +
        "in or, is exactly, it off, it up, it's only, leaving out, like you, look at, my travel, need it, " +
        'pick up, pickup at, rated at, really into, round trip, search me, send it, share it, some free, ' +
        "suggest me, that leaves, that takes, that's exactly, the average, the daily, the hotel's, the name, " +
        'the right, the station, there live, tickets right, time it, to continue, to help, to request, to set, ' +
        'to take, use it, visit at, want it, was it, what events, what movies, what station, where it, ' +
        "where pets, where's it, whether it, which station, will have, with at, with laundry, with live, " +
        'you mind, you see, you think',
    ],
    [
      -2,
      'a fun, a music, a total, an action, an expensive, and there, and to, any events, are any, ' +
        'around afternoon, big fan, but it, buy some, can book, can get, check it, drop it, enjoy watching, ' +
        'find attractions, find movies, for afternoon, for later, for movies, from where, game on, get out, ' +
        'go in, go out, go watch, grab me, have it, head out, heard good, help me, i do, if pets, in unit, ' +
        'is in, is where, know of, located in, looking for, movies shown, music it, on bedroom, on speaker, ' +
        'once upon, out to, place on, playing at, please reserve, please set, provide me, require it, ' +
        'reserve me, set me, some fun, some help, some time, something interesting, song is, take me, talk to, ' +
        "that goes, the nice, the ones, the restaurant's, the songs, the table, the taxi, they offer, think it, " +
        'this on, to collect, to fix, to train, travel to, travelling to, until it, wanna watch, what date, ' +
        'what genre, what hotels, what time, which time, with free, you are, you help',
    ],
    [
      -1.5,
      '0 event, a couple, a friend, a game, a house, a look, a number, a party, a search, a time, about this, ' +
        'also please, am fine, an online, and arrive, and buy, and change, and phone, and set, any attractions, ' +
        'any kind, any movies, any music, any nice, are there, around evening, be free, be located, be picked, ' +
        'checking out, could find, events happening, find restaurants, finding something, for all, ' +
        'for attractions, for dates, for evening, for event, for flights, for hotels, for this, for tickets, ' +
        'full size, give it, go on, good please, great now, headed to, helped me, i leaving, i watch, ' +
        'in booking, in date, is there, leave later, leaving later, movie is, need tickets, needed help, ' +
        'not really, of music, of song, other available, perfect please, reserve some, some cool, some thing, ' +
        'something fun, that it, that sells, the appointment, the attractions, the day, the flight, the lot, ' +
        'the movies, the origin, the start, the time, the train, their price, thinking of, to sleep, ' +
        'to transfer, watch something, what airport, what else, what number, which leaves, will there, work out, ' +
        'would not, you confirm, you set, your immense',
    ],
    [
      -1,
      'a nearby, a property, a rating, a romance, a trip, address is, and book, and destination, any type, ' +
        'around morning, book that, cab ride, can help, care of, check in, do something, eat outside, ' +
        'find anything, find tickets, for music, for restaurants, get that, go to, good movies, good place, ' +
        "great please, how windy, i'm fine, is confirmed, is this, it is, it possible, like music, like this, " +
        'machines inside, me events, nice events, nope please, nope thanks, not ready, not too, of that, ' +
        'on this, pets in, some dates, some event, some movies, thanks now, that all, that also, the first, ' +
        'the good, the prices, the room, the total, there be, they are, to start, venue is, watch that, ' +
        'weather like, which airport, would there, you suggest, yup please',
    ],
    [
      -0.5,
      'a perfect, a play, a ride, a while, and from, and start, any available, any price, any ticket, ' +
        'anything available, are they, awesome thanks, be like, be possible, booking again, can find, ' +
        'contact phone, departing from, directed this, get them, going on, have found, have tickets, hear that, ' +
        'help with, i reserve, is from, is on, is that, leaves from, listen to, live in, many stops, move to, ' +
        'movies playing, my kids, need that, nice songs, of visit, on day, other things, purchase tickets, ' +
        'see that, see you, seems good, so please, some kind, starting from, suggest another, thanks you, ' +
        "that on, that's enough, the best, the perfect, the vehicle, the visit, this evening, to that, " +
        'try again, up with, you got, you have',
    ],
    [
      0.5,
      '0 show, a day, a show, about that, arriving in, can watch, coming up, do it, for rent, get in, ' +
        'good movie, hear it, is free, it be, it out, leave from, love that, of town, oneway flight, ' +
        'or something, other attractions, other option, other places, other time, place at, rating is, ' +
        'regular show, rent it, some hotels, stay in, take it, thank you, that take, thats great, the number, ' +
        'to live, with booking, with insurance',
    ],
    [
      1,
      '0 dollars, 0 stars, a viewing, allow smoking, and humidity, available times, bank account, came out, ' +
        'come out, concert events, depart from, departs from, do so, do that, friendly apartment, ' +
        "friendly attraction, funny movies, good restaurant, got it, in mind, is nice, it's all, living room, " +
        'located at, more events, more help, online movie, other movies, priced restaurant, room apartment, ' +
        'scary movies, seems nice, so much, spacious car, that be, that hotel, that movie, that place, ' +
        "that rental, that restaurant, that show, that time, that's it, the bedroom, this event, this time, " +
        'trip flights, try that, very much, way flights',
    ],
    [
      1.5,
      '0 am, 0 bathroom, 0 passengers, 0 stop, a garage, all good, all right, all set, all thanks, allow pets, ' +
        'allows pets, and location, another restaurant, another time, apartment furnished, appreciate it, ' +
        'are good, arrive at, arrive to, arriving at, at all, at destination, be all, be best, be fun, be good, ' +
        'be it, be later, be nice, by me, can suggest, can visit, car rental, checking account, class tickets, ' +
        'come furnished, confirm that, cost be, cost me, destination station, directed it, event dates, ' +
        'event tickets, exactly right, fine thanks, flight arrive, for everything, for it, for kids, for me, ' +
        'friendly place, from you, furnished apartment, good apartment, good thanks, great help, help thanks, ' +
        "in it, in total, is furnished, is right, it furnished, it playing, it thanks, it's good, just found, " +
        'live music, love it, many thanks, maybe later, me out, me thanks, might like, my balance, my group, ' +
        'my party, need thanks, now thanks, of events, of it, of movies, or more, or not, other dates, ' +
        'other ones, perfect thanks, popular songs, pretty good, reach me, really good, reserve it, run me, ' +
        'sounds nice, sounds right, start time, take place, taking place, that car, that date, that event, ' +
        "that game, that location, that property, that reservation, that ride, that's right, thats it, the help, " +
        'the internet, the showtimes, the way, their location, them at, this car, this hotel, this movie, ' +
        'this restaurant, this ride, those tickets, ticket price, to decide, to it, to me, unit laundry, ' +
        'upcoming events, upcoming trip, venue at, very good, will do, with me, with subtitles, with that, ' +
        'work best, you later, your help',
    ],
  ],
};
