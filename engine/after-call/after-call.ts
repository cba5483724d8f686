// Derives summary, sentiment and tags from a finished conversation. The rules run at once, so that `call.ended` is
// complete; a dialogue model's version replaces theirs later, without an event.
import { speakerLabel } from '../../db/domain/transcript-labels.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';

type Sentiment = 'positive' | 'neutral' | 'negative';

interface CallSummary {
  summary: string;
  sentiment: Sentiment;
  tags: string[];
}

export interface CallFacts {
  direction: 'inbound' | 'outbound';
  status: 'COMPLETED' | 'FAILED' | 'VOICEMAIL';
  outcome: string;
  durationSeconds: number;
  transcript: readonly TranscriptEntry[];
  /** Names of the tools that succeeded. */
  toolsUsed: readonly string[];
  appointments: ReadonlyArray<{ service: string | null; startsAtText: string }>;
  /** The agent promised a call back. */
  wantsCallBack: boolean;
  /** Turns of the caller in which the agent failed, whoever answered them. */
  failedTurns: number;
}

const POSITIVE = /\b(thank(s| you)|great|perfect|wonderful|excellent|lovely|awesome|appreciate|helpful|good)\b/g;
const NEGATIVE =
  /\b(bad|terrible|awful|angry|upset|annoy(ed|ing)|frustrat(ed|ing)|complain(t)?|useless|ridiculous|worst|disappointed|stupid|wrong)\b/g;

const TOPICS: ReadonlyArray<[tag: string, words: RegExp]> = [
  ['hours', /\b(hours|open|close[ds]?|closing|opening)\b/],
  ['pricing', /\b(price|prices|cost|costs|how much|fee)\b/],
  ['appointment', /\b(appointment|book|booking|schedule|reschedule)\b/],
  ['location', /\b(address|where are you|located|directions|parking)\b/],
  ['complaint', /\b(complain(t)?|refund|manager|unhappy)\b/],
];

/** The agent failed, and the caller was served after all. Where they were not, the outcome says so. */
export const AGENT_FAILED = 'agent_failed';

const TOOL_TAGS: Record<string, string> = {
  schedule_appointment: 'appointment-booked',
  move_own_appointment: 'appointment-moved',
  cancel_own_appointment: 'appointment-cancelled',
  confirm_appointment: 'appointment-confirmed',
  schedule_callback: 'callback-scheduled',
  transfer_call: 'transferred',
  opt_out: 'opted-out',
};

/** Decided by word counts; a tie, or no match, is neutral. */
function ruleSentiment(transcript: readonly TranscriptEntry[]): Sentiment {
  const said = callerText(transcript);
  const balance = (said.match(POSITIVE)?.length ?? 0) - (said.match(NEGATIVE)?.length ?? 0);
  return balance > 0 ? 'positive' : balance < 0 ? 'negative' : 'neutral';
}

/** The rule-based summary: the caller, the topic and the result. */
export function ruleSummary(facts: CallFacts): CallSummary {
  const said = callerText(facts.transcript);
  const tags = TOPICS.filter(([, words]) => words.test(said)).map(([tag]) => tag);
  for (const tool of facts.toolsUsed) {
    const tag = TOOL_TAGS[tool];
    if (tag !== undefined && !tags.includes(tag)) tags.push(tag);
  }
  if (facts.wantsCallBack) tags.push('callback-requested');
  if (facts.failedTurns > 0 && facts.outcome !== 'agent_failed') tags.push(AGENT_FAILED);
  return { summary: sentences(facts, tags).join(' '), sentiment: ruleSentiment(facts.transcript), tags };
}

function sentences(facts: CallFacts, tags: readonly string[]): string[] {
  if (facts.status === 'FAILED') return [`The call was not answered (${facts.outcome.replaceAll('_', ' ')}).`];
  if (facts.status === 'VOICEMAIL') {
    return [facts.outcome === 'voicemail_left' ? 'A machine answered; a message was left.' : 'A machine answered.'];
  }
  const callerTurns = facts.transcript.filter((entry) => entry.speaker === 'caller').length;
  const parts = [
    `${facts.direction === 'inbound' ? 'Inbound' : 'Outbound'} call of ${duration(facts.durationSeconds)}.`,
  ];
  if (callerTurns === 0) parts.push('The caller said nothing.');
  else if (tags.length > 0) parts.push(`Topics: ${tags.join(', ')}.`);
  else parts.push(`The caller spoke ${callerTurns === 1 ? 'once' : `${callerTurns} times`}.`);
  for (const booked of facts.appointments) {
    parts.push(`Booked ${booked.service ?? 'an appointment'} for ${localTime(booked.startsAtText)}.`);
  }
  if (facts.outcome === 'agent_failed') parts.push('The agent failed, and the caller was left without an answer.');
  if (facts.outcome === 'transferred') parts.push('The caller was transferred to a person.');
  if (facts.wantsCallBack) parts.push('The caller asked to be called back.');
  if (facts.toolsUsed.includes('opt_out')) parts.push('The person asked not to be called again.');
  return parts;
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** `Monday 2 March at 10:00 (UTC-05:00)` of the business's time with its offset: a reader may be in another zone. */
function localTime(text: string): string {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return text;
  const [offset = ''] = /[+-]\d\d:\d\d$/.exec(text) ?? [];
  return `${DAY.format(day)} at ${text.slice(11, 16)} (UTC${offset})`;
}

const SYSTEM =
  'You summarise finished phone calls for the business that received or placed them. Answer with one JSON object: ' +
  '{"summary": string of at most three sentences, "sentiment": "positive" | "neutral" | "negative" (the caller\'s), ' +
  '"tags": array of at most five short lower-case tags}. State only what the transcript says.';

/** The model's version; null if it has none or its answer has the wrong form. @throws {LlmError} */
export async function modelSummary(
  model: DialogueModel,
  transcript: readonly TranscriptEntry[],
  signal: AbortSignal,
): Promise<CallSummary | null> {
  if (!model.complete || transcript.length === 0) return null;
  const user = transcript.map((entry) => `${speakerLabel(entry)}: ${entry.text}`).join('\n');
  const answer = await model.complete({ system: SYSTEM, user, json: true }, signal);
  return parseSummary(answer);
}

/** Null if `answer` does not have the requested form. */
export function parseSummary(answer: string): CallSummary | null {
  let value: unknown;
  try {
    value = JSON.parse(answer.trim().replace(/^```(?:json)?|```$/g, ''));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { summary, sentiment, tags } = value as Record<string, unknown>;
  if (typeof summary !== 'string' || summary.trim() === '') return null;
  const known: Sentiment = sentiment === 'positive' || sentiment === 'negative' ? sentiment : 'neutral';
  const clean = Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : [];
  return {
    summary: summary.trim().slice(0, 2_000),
    sentiment: known,
    tags: clean.slice(0, 10).map((tag) => tag.slice(0, 50)),
  };
}

const callerText = (transcript: readonly TranscriptEntry[]): string =>
  transcript
    .filter((entry) => entry.speaker === 'caller')
    .map((entry) => entry.text.toLowerCase())
    .join(' ');

function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
