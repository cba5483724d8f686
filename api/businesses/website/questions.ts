// Questions with their answers from a page: a heading, a summary or a term that ends with a question mark, and what
// stands under it.
import type { CheerioAPI } from 'cheerio/slim';
import type { Faq } from '../schema.ts';
import type { Said } from './facts.ts';

const LIST_MAX = 50;
const QUESTION_MAX = 300;
const ANSWER_MAX = 2_000;
/** Elements that follow a heading and belong to its answer. */
const PARTS_MAX = 4;
/** A mail address, or a telephone number. */
const CONTACT = /[\w.-]@[\w-]|(?:\+|\b0)\d[\d ()/.-]{6,20}\d/;
const ASKS = /^.{8,300}\?$/u;

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function readQuestions($: CheerioAPI): Array<Said<Faq>> {
  const faqs = new Map<string, Said<Faq>>();
  for (const element of $('summary, dt, h2, h3, h4, h5, h6').toArray()) {
    const question = words($(element).text()).slice(0, QUESTION_MAX + 1);
    if (!ASKS.test(question) || faqs.size >= LIST_MAX || faqs.has(question.toLowerCase())) continue;
    const answer = answerTo($, element);
    if (answer !== '' && answer.length <= ANSWER_MAX && !answer.endsWith('?'))
      faqs.set(question.toLowerCase(), { value: { question, answer }, said: `${question} ${answer}` });
  }
  return [...faqs.values()];
}

/** Its own element bounds an answer; under a heading it is the next block, with the list that follows. */
function answerTo($: CheerioAPI, element: Parameters<CheerioAPI>[0]): string {
  const asked = $(element as never);
  if (asked.is('dt')) return words(asked.next('dd').text());
  const parts: string[] = [];
  for (let next = asked.next(); next.length > 0 && parts.length < PARTS_MAX; next = next.next()) {
    if (!next.is('p, div, ul, ol, span') || next.find('h1, h2, h3, h4, h5, h6, summary, dt').length > 0) break;
    const isOwn = asked.is('summary') || parts.length === 0 || parts.at(-1)?.endsWith(':') || next.is('ul, ol');
    const text = answerIn($, next);
    if (!isOwn || (parts.length > 0 && CONTACT.test(text))) break;
    parts.push(text);
  }
  return words(parts.join(' '));
}

/** Of a block with several: until one with contact details, which may be the answer where it is the first. */
function answerIn($: CheerioAPI, block: ReturnType<CheerioAPI>): string {
  const inner = block.is('div') ? block.children().toArray() : [];
  if (inner.length < 2 || !inner.every((each) => $(each).is('p, div, ul, ol'))) return words(block.text());
  const texts = inner.map((each) => words($(each).text()));
  const end = texts.findIndex((text, at) => at > 0 && CONTACT.test(text));
  return words(texts.slice(0, end < 0 ? undefined : end).join(' '));
}
