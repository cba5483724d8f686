// The receptionist's answers from the business's data: hours, services, prices, contact.

import { spansOn } from '../../../db/domain/hours/opening-hours.ts';
import { isOpenAt, nextOpening, weekdayOf } from '../../../db/domain/hours/opening-times.ts';
import { capital, clockText, listText, spansText, weekText } from '../hours-text.ts';
import type { DialogueBusiness } from '../llm.ts';
import { priceText } from '../spoken.ts';
import { findService, intentsOf } from './caller-intent.ts';
import { type Context, onDayText, vary } from './context.ts';
import { spokenDay } from './spoken-time.ts';

/** Services named in one sentence. */
const MAX_NAMED_SERVICES = 5;

/** The hours of the named day, of now ("are you open"), or of the week. */
export function hoursAnswer(context: Context, text: string): string {
  const { business, now } = context;
  const week = weekText(business.hours);
  if (week === null)
    return business.phone
      ? "I'm sorry, I don't have our opening hours here."
      : "I'm sorry, our hours are by appointment only.";
  const plain = text.toLowerCase();
  const asksClosing = /\b(close|closing|how late|until when)\b/.test(plain);
  if (/\b(now|right now|currently|still open)\b/.test(plain)) return openNow(context);
  if (/\bweekend/.test(plain)) return weekendAnswer(business);
  const day = spokenDay(text, now);
  if (!day) return asksClosing && isOpenAt(business.hours, now) ? openNow(context) : week;
  const spans = spansOn(business.hours, weekdayOf(day));
  const said = /\b(today|tomorrow|tonight)\b/.exec(plain)?.[1];
  const named = said === 'tonight' ? 'Today' : said ? capital(said) : `On ${capital(weekdayOf(day))}`;
  const span = spansText(spans);
  if (span !== null) {
    const closing = spans.at(-1);
    if (asksClosing && closing) return `${named} we close at ${clockText(closing.close)}.`;
    const yes = /\bare you (open|closed)|do you open\b/.test(plain) ? 'Yes. ' : '';
    return `${/\bclosed\b/.test(plain) ? 'No. ' : yes}${named} we are open ${span}.`;
  }
  const next = nextOpening(business.hours, day.endOf('day'));
  const then = next ? ` We open again ${onDayText(next, now)} at ${clockText(next.hour * 60 + next.minute)}.` : '';
  return `${vary(context, [`I'm sorry, we are closed ${lowerNamed(named)}.`, `${named} we are closed, I'm afraid.`])}${then}`;
}

function openNow({ business, now }: Context): string {
  if (isOpenAt(business.hours, now)) {
    const minute = now.hour * 60 + now.minute;
    const today = spansOn(business.hours, weekdayOf(now)).find(({ open, close }) => minute >= open && minute < close);
    return today ? `Yes, we are open now, until ${clockText(today.close)}.` : 'Yes, we are open now.';
  }
  const next = nextOpening(business.hours, now);
  if (!next) return 'No, we are closed at the moment.';
  return `We are closed right now. We open ${onDayText(next, now)} at ${clockText(next.hour * 60 + next.minute)}.`;
}

function weekendAnswer(business: DialogueBusiness): string {
  const days = (['saturday', 'sunday'] as const).map((day) => ({
    day: capital(day),
    span: spansText(spansOn(business.hours, day)),
  }));
  const open = days.filter(({ span }) => span !== null);
  if (open.length === 0) return 'No, we are closed on weekends.';
  const parts = open.map(({ day, span }) => `on ${day} ${span}`);
  const closed = days.find(({ span }) => span === null);
  return `We are open ${listText(parts)}.${closed ? ` We are closed on ${closed.day}.` : ''}`;
}

function lowerNamed(named: string): string {
  return named.charAt(0).toLowerCase() + named.slice(1);
}

/** The price, duration or existence of the named service; null when none is named. */
export function serviceAnswer(context: Context, text: string): string | null {
  const { business, memory } = context;
  const intents = intentsOf(text);
  const asks = intents.includes('price') || intents.includes('duration');
  // "How much does it cost?" during a booking means the service being booked.
  const booked = asks ? business.services.find(({ name }) => name === memory.booking?.service) : undefined;
  const service = findService(text, business) ?? booked;
  if (!service) return null;
  const price = service.price === null ? null : priceOf(service.price, business);
  const duration = service.duration === null ? null : durationText(service.duration);
  if (intents.includes('price')) {
    if (price === null)
      return `The price of ${named(service)} depends on what you need. We are happy to tell you when you come in.`;
    return `${vary(context, [`${capital(named(service))} costs ${price}`, `${capital(named(service))} is ${price}`])}${duration ? ` and takes about ${duration}` : ''}.`;
  }
  if (intents.includes('duration'))
    return duration
      ? `${capital(named(service))} takes about ${duration}.`
      : `That depends; we'll take the time you need.`;
  if (price && duration)
    return `Yes, we offer ${service.name.toLowerCase()}. It takes about ${duration} and ${service.price === 0 ? 'is' : 'costs'} ${price}.`;
  return `Yes, we offer ${service.name.toLowerCase()}${price ? ` for ${price}` : ''}.`;
}

export function servicesAnswer(context: Context): string {
  const { services } = context.business;
  if (services.length === 0)
    return context.business.description ?? "I'm sorry, I don't have a list of our services here.";
  const names = services.slice(0, MAX_NAMED_SERVICES).map(({ name }) => name.toLowerCase());
  const more = services.length > MAX_NAMED_SERVICES ? ', and more' : '';
  return `We offer ${listText(names)}${more}.`;
}

export function pricesAnswer(context: Context): string {
  const priced = context.business.services.filter(({ price }) => price !== null).slice(0, 3);
  if (priced.length === 0) return "I'm sorry, I don't have prices here.";
  return `${listText(priced.map(({ name, price }) => `${name.toLowerCase()} is ${priceOf(price ?? 0, context.business)}`)).replace(/^./, (c) => c.toUpperCase())}. Which service are you interested in?`;
}

export function addressAnswer({ business }: Context): string {
  return business.address ? `You'll find us at ${business.address}.` : "I'm sorry, I don't have our address here.";
}

export function phoneAnswer({ business }: Context): string {
  return business.phone ? `Our number is ${business.phone}.` : "You can reach us at the number you've just called.";
}

export function emailAnswer({ business }: Context): string {
  return business.email
    ? `Our email address is ${business.email}.`
    : "I'm sorry, we don't have an email address that I could give you.";
}

function priceOf(price: number, { currency }: DialogueBusiness): string {
  return price === 0 ? 'free of charge' : priceText('en', price, currency);
}

function durationText(minutes: number): string {
  if (minutes < 60 || minutes % 30 !== 0) return `${minutes} minutes`;
  if (minutes === 60) return 'an hour';
  if (minutes === 90) return 'an hour and a half';
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} hours` : `${hours} and a half hours`;
}

/** "a dental cleaning", "teeth whitening". */
export function named(service: { name: string }): string {
  const name = service.name.toLowerCase();
  if (/(ing|s|care|advice|repair|therapy|hygiene)$/.test(name) && !/cleaning$|filling$|fitting$|meeting$/.test(name))
    return name;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
