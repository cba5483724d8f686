// The agent of one call: a dialogue that knows the business and the other party, with tools that use the database.
import type { Logger } from 'pino';
import { dialogueFallbackOf } from '../../db/domain/dialogue-fallback.ts';
import { countryOf, hasE164Form } from '../../db/domain/numbers/phone.ts';
import { redact } from '../../db/domain/redaction/find.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { parseTexts } from '../../db/records/resources.ts';
import type { Breaker } from '../../models/llm/breaker.ts';
import type { DialogueBusiness, DialogueModel, FoundPassage } from '../../models/llm/llm.ts';
import { Receptionist } from '../../models/llm/receptionist/receptionist.ts';
import { Dialogue } from '../dialogue/dialogue.ts';
import { HEARING_FAILED, type TurnEnd } from '../dialogue/failed-turns.ts';
import type { DialogueOptions } from '../dialogue/options.ts';
import { SpeechDialogue } from '../dialogue/speech-dialogue.ts';
import type { ToolRun } from '../dialogue/tool-runs.ts';
import type { ToolAction } from '../dialogue/tools/tool.ts';
import { type BookingDeps, callBookings } from './call-bookings.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import type { CallLanguages } from './languages/languages.ts';
import type { PassageSearch } from './passage-search.ts';
import type { SecretKeys } from './secret-keys.ts';
import {
  conversationOf,
  dialogueBusiness,
  firstWordWithinMs as firstWordOf,
  greeting,
  redactionOf,
  speechToSpeechOf,
  spokenBy,
} from './setup.ts';
import type { CallWrites } from './writes.ts';

/** It keeps nothing of a call, so one serves all. */
const STAND_IN = new Receptionist({ isStandIn: true });
/** Tools whose success means that the call achieved something. */
const ACCOMPLISHED = new Set([
  'schedule_appointment',
  'move_own_appointment',
  'cancel_own_appointment',
  'confirm_appointment',
  'schedule_callback',
  'opt_out',
  'transfer_call',
]);

interface AgentListener {
  onAction(action: ToolAction): void;
  onToolRan(run: ToolRun): void;
  /** There are more words of that reply, or it is whole. */
  onSpoke(epoch: number): void;
  /** A tool did what the call was for. */
  onAccomplished(): void;
  /** A reply was made from these. */
  onSourced(passages: readonly FoundPassage[]): void;
  secret: SecretKeys;
  /** Sends DTMF; false if the other end does not support it. */
  sendDigits(digits: string): Promise<boolean>;
}

/** The parts of the engine that an agent uses, in a call or in a test. */
interface AgentDeps
  extends BookingDeps,
    Pick<ConductorDeps, 'dialogue' | 'speechToSpeech' | 'tools' | 'llmTimeoutMs' | 'breakers' | 'openings'> {
  clock: ConductorDeps['clock'];
  writer: Pick<ConductorDeps['writer'], 'run' | 'runWithin'>;
  shards: Pick<ConductorDeps['shards'], 'send'>;
  metrics: Pick<ConductorDeps['metrics'], 'turnEnded' | 'modelUsed'>;
  /** It writes, and nobody hears it; absent: it speaks. */
  isWritten?: boolean;
}

type AgentOptions = Pick<ConductorOptions, 'call' | 'setup' | 'medium'>;

/** The parts of a call that are there before its agent. */
export interface AgentParts {
  writes: Pick<CallWrites, 'run' | 'enqueue'>;
  log: Logger;
  /** Null: the business has no documents. */
  search: Pick<PassageSearch, 'search'> | null;
  languages: CallLanguages;
}

/** The other party of a call, as agent and tools know them. */
interface OtherParty {
  direction: 'inbound' | 'outbound';
  /** Null: it is hidden, or no number. */
  callerNumber: string | null;
}

function otherPartyOf({ call, medium }: AgentOptions): OtherParty {
  const direction = medium.kind === 'outbound' ? 'outbound' : 'inbound';
  const number = direction === 'inbound' ? call.fromNumber : call.toNumber;
  return { direction, callerNumber: hasE164Form(number) ? number : null };
}

export function createAgent(
  deps: AgentDeps,
  options: AgentOptions,
  { writes, log, search, languages }: AgentParts,
  listener: AgentListener,
): Dialogue {
  const { call, setup } = options;
  const business = dialogueBusiness(setup);
  const other = otherPartyOf(options);
  const instructions = [setup.campaign.instructions, call.instructions].filter(Boolean).join('\n') || null;
  return new Dialogue({
    callId: call.id,
    ...modelsOf(deps, options, instructions),
    standIn: standInFor(deps.dialogue, { ...business, dialogueFallback: setup.business.dialogueFallback }),
    business,
    agentName: setup.agent.name,
    get language() {
      return languages.spoken;
    },
    get additionalLanguages() {
      return JSON.parse(languages.setup.agent.additionalLanguages) as string[];
    },
    languages,
    instructions,
    greeting: greeting(options, deps, deps.clock.nowMs()),
    ...(call.putThroughTo === undefined ? {} : { putThroughTo: call.putThroughTo }),
    ...openingsOf(deps, languages),
    conversation: conversationOf(setup),
    ...(deps.isWritten ? { isWritten: true } : {}),
    isRecorded: setup.campaign.recordingEnabled === 1,
    direction: other.direction,
    callerNumber: other.callerNumber,
    callerName: call.callerName,
    tools: callTools(deps, options, other, { business, writes, languages, listener }),
    accountTools: accountTools(deps, options, other, { writes, listener }),
    ...(search === null ? {} : { search: (question) => search.search(question) }),
    onSourced: listener.onSourced,
    onToolAnswered: (tool) =>
      deps.shards.send({
        type: 'request-reply',
        callId: call.id,
        request: { kind: 'note', note: { kind: 'tool-answered', tool } },
      }),
    clock: deps.clock,
    send: (command) => {
      deps.shards.send(command);
      if ('epoch' in command) listener.onSpoke(command.epoch);
    },
    onFirstWord: (epoch) => deps.shards.send({ type: 'model-began', callId: call.id, epoch }),
    onAction: listener.onAction,
    onToolRan: (run) => {
      listener.onToolRan(run);
      if (run.ok && ACCOMPLISHED.has(run.call.name)) listener.onAccomplished();
    },
    onTurnEnded: (end) => countTurn(deps, call.accountId, end, log),
    onModelUsed: (used, isDiscarded) => deps.metrics.modelUsed(used, isDiscarded),
    log,
  });
}

/** The models that answer: a speech-to-speech model as long as its session lasts, else the dialogue model. */
function modelsOf(
  deps: AgentDeps,
  { call, setup }: AgentOptions,
  instructions: string | null,
): Pick<DialogueOptions, 'model' | 'speech' | 'breaker' | 'firstWordWithinMs'> {
  const firstWordWithinMs = firstWordOf(setup, deps.llmTimeoutMs);
  const breaker = deps.breakers.of(conversationOf(setup).model ?? null, firstWordWithinMs);
  if (!speechToSpeechOf(deps, setup)) return { model: deps.dialogue, breaker, firstWordWithinMs };
  const speech = new SpeechDialogue({
    cascade: deps.dialogue,
    instructions,
    ask: (ask) => deps.shards.send({ type: 'speech-model', callId: call.id, ask }),
  });
  return { model: speech, speech, breaker: whileCascade(speech, breaker), firstWordWithinMs };
}

function callTools(
  deps: AgentDeps,
  options: AgentOptions,
  { direction, callerNumber }: OtherParty,
  {
    business,
    writes,
    languages,
    listener,
  }: {
    business: DialogueBusiness;
    writes: Pick<CallWrites, 'run'>;
    languages: CallLanguages;
    listener: AgentListener;
  },
): DialogueOptions['tools'] {
  const { call, setup } = options;
  const rules = redactionOf(options, 'transcript');
  const kept = (text: string | null): string | null => (text === null || rules === null ? text : redact(text, rules));
  return {
    business,
    callerNumber,
    callerName: call.callerName,
    country: countryIn([business.phone, direction === 'inbound' ? call.toNumber : call.fromNumber, callerNumber]),
    ...callBookings(deps, {
      ...{ call, businessId: setup.business.id, business, callerNumber, kept },
      conversationId: deps.isWritten ? call.id : null,
    }),
    remindsOf: direction === 'inbound' ? null : (parseTexts(call.variables).appointmentId ?? null),
    switchLanguage: (language) => languages.switchTo(language, 'wish'),
    sendDigits: listener.sendDigits,
    collectDigits: (wish) => listener.secret.collect(wish),
    optOut: async (reason) => {
      if (callerNumber === null) return false;
      await writes.run('optOut', {
        ...{ accountId: call.accountId, phoneNumber: callerNumber, callId: call.id, source: 'call' },
        ...{ reason: kept(reason), nowMs: deps.clock.nowMs() },
      });
      return true;
    },
  };
}

/** The tenant's own tools. */
function accountTools(
  deps: Pick<AgentDeps, 'tools'>,
  { call, setup }: AgentOptions,
  { direction, callerNumber }: OtherParty,
  { writes, listener }: { writes: Pick<CallWrites, 'enqueue'>; listener: Pick<AgentListener, 'secret'> },
): DialogueOptions['accountTools'] {
  return {
    callId: call.id,
    ...deps.tools.open(setup.tools),
    variables: parseTexts(call.variables),
    secrets: listener.secret,
    facts: {
      callId: call.id,
      callerNumber: callerNumber ?? '',
      callerName: call.callerName ?? '',
      businessName: setup.business.name,
      agentName: setup.agent.name,
      direction,
    },
    onAssigned: (variables) => writes.enqueue('changeCall', { callId: call.id, variables: JSON.stringify(variables) }),
  };
}

function countTurn({ clock, metrics, writer }: AgentDeps, accountId: string, end: TurnEnd, log: Logger): void {
  metrics.turnEnded(end);
  const isFailed = end.by !== 'model';
  const isUnheard = isFailed && end.reason === HEARING_FAILED;
  writer.run('countTurn', { accountId, isFailed, isUnheard, nowMs: clock.nowMs() }).catch((error: unknown) => {
    log.warn({ error: messageOf(error) }, 'a turn was not counted');
  });
}

/** Of the first of these numbers that has one. */
const countryIn = (numbers: ReadonlyArray<string | null>): string | null =>
  numbers.map((number) => (number ? countryOf(number) : null)).find((country) => country !== null) ?? null;

function openingsOf({ openings }: Pick<ConductorDeps, 'openings'>, languages: CallLanguages) {
  return openings === undefined ? {} : { openings: () => openings.of(spokenBy(languages.setup.agent)) };
}

/** A session's success or failure says nothing of the model behind it. */
function whileCascade(speech: SpeechDialogue, breaker: Breaker): Pick<Breaker, 'mayTry' | 'succeeded' | 'failed'> {
  return {
    mayTry: () => speech.isUp || breaker.mayTry(),
    succeeded: () => speech.isUp || breaker.succeeded(),
    failed: () => speech.isUp || breaker.failed(),
  };
}

/** The stand-in where the model fails; null: the fallback message. The receptionist does not stand in for itself. */
function standInFor(model: DialogueModel, business: Parameters<typeof dialogueFallbackOf>[0]): DialogueModel | null {
  return model.name !== STAND_IN.name && dialogueFallbackOf(business) === 'receptionist' ? STAND_IN : null;
}
