// Converts database rows into a call's settings: the business as the dialogue model sees it, turn-taking, voice and
// vocabulary. Read once at the start, so a change to the business takes effect on the next call.

import { destinationsIn } from '../../db/domain/numbers/transfer-destinations.ts';
import type { RedactionRules } from '../../db/domain/redaction/find.ts';
import { type RedactedCopy, rulesOf } from '../../db/domain/redaction/policy.ts';
import { fillTemplate, type TemplateNames } from '../../db/domain/template.ts';
import { businessContent } from '../../db/queries/businesses/content.ts';
import type { NewInboundCall } from '../../db/queries/calls/life.ts';
import { type ConversationSettings, parseTexts } from '../../db/records/resources.ts';
import type { CallSetup } from '../../db/rules/routing.ts';
import { AMD_PHRASES } from '../../models/amd/hints.ts';
import { sessionInstructions } from '../../models/llm/chat/chat-messages.ts';
import { greetingText } from '../../models/llm/greeting.ts';
import type { DialogueBusiness, DialogueModel, DialogueRequest } from '../../models/llm/llm.ts';
import { phrasesFor } from '../../models/llm/phrases/languages.ts';
import { policiesOf } from '../../models/llm/policies.ts';
import type { SpeechSetup } from '../../models/speech-to-speech/speech-to-speech.ts';
import type { SttVocabulary } from '../../models/stt/stt.ts';
import type { SpeechRequest } from '../../models/tts/tts.ts';
import { clausesOf } from '../dialogue/clause-splitter.ts';
import type { Openings } from '../dialogue/openings.ts';
import { pronounced } from '../shard/models/pronunciation.ts';
import type { CallVoice, OpenCall } from '../shard/protocol.ts';
import type { TurnConfig } from '../turn/machine.ts';
import { normalizeSpeech } from '../turn/spoken.ts';
import type { CallInfo, CallMedium, ConductorDeps, ConductorOptions } from './context.ts';
import type { AudioEntrance } from './persons/audio-entrance.ts';

/** Time for a callee to say hello first. */
const CALLEE_FIRST_MS = 1_200;
/** Silence before "Are you still there?"; asked twice, then the agent says goodbye. */
const IDLE_MS = 8_000;
const IDLE_PROMPTS = 2;
/** From a clause to its first audio: a voice on another continent takes a second. */
const SPEECH_DEADLINE_MS = 4_000;
/** A caller who speaks this long without a pause gets an answer anyway. */
const MAX_UTTERANCE_MS = 20_000;

/** `campaign`: its greeting replaces the business's. */
export function dialogueBusiness({
  business: row,
  campaign,
}: Pick<CallSetup, 'business' | 'campaign'>): DialogueBusiness {
  return {
    ...businessContent(row),
    destinations: destinationsIn(campaign, row),
    greetingTemplate: greetingTemplate({ business: row, campaign }),
  };
}

export function conversationOf({ agent }: Pick<CallSetup, 'agent'>): ConversationSettings {
  return JSON.parse(agent.conversation) as ConversationSettings;
}

/** The settings of an agent in writing, as its row has them: a model of speech has nothing to hear. */
export const writtenConversation = (setup: Pick<CallSetup, 'agent'>): string =>
  JSON.stringify({ ...conversationOf(setup), speechToSpeech: false });

/** Of a call's settings, its greeting needs these. */
type Spoken = Pick<CallSetup, 'campaign' | 'business' | 'agent'>;

interface Greeted {
  call: Pick<CallInfo, 'callerName' | 'variables' | 'putThroughTo'>;
  setup: Spoken;
  medium: Pick<CallMedium, 'kind'>;
}

/** A blank template counts as none. */
export function greetingTemplate({ business, campaign }: Pick<CallSetup, 'business' | 'campaign'>): string | null {
  return campaign.greetingTemplate?.trim() ? campaign.greetingTemplate : business.greetingTemplate;
}

/** How long a caller waits for the model's first word, from the end of their turn. */
export function firstWordWithinMs(setup: Pick<CallSetup, 'agent'>, llmTimeoutMs: number): number {
  return conversationOf(setup).modelTimeoutMs ?? llmTimeoutMs;
}

export function turnConfig(
  setup: CallSetup,
  isOutbound: boolean,
  { patienceMs, hearsWords, knowsPhrases = false, asksWords = false, hearsTurns = false }: ConductorDeps['recogniser'],
  llmTimeoutMs: number,
): TurnConfig {
  const { business, agent } = setup;
  const settings = conversationOf(setup);
  const { firstSpeaker = 'auto', responsiveness = 0.5, reminderSeconds, reminders = IDLE_PROMPTS } = settings;
  const idleMs = reminderSeconds === undefined ? IDLE_MS : reminderSeconds * 1_000;
  const openingDelaysMs = { auto: isOutbound ? CALLEE_FIRST_MS : 0, agent: 0, caller: idleMs };
  return {
    language: agent.language,
    silenceThresholdMs: business.silenceThresholdMs,
    endpointing: business.silenceThresholdChosen === 1 ? 'fixed' : 'adaptive',
    // 0.5 is normal; 1 waits 0.6 times as long, 0 waits 1.4 times as long.
    patience: 1.4 - 0.8 * responsiveness,
    openingDelayMs: openingDelaysMs[firstSpeaker],
    backchannels: (settings.backchannelWords ?? []).map(normalizeSpeech),
    groupAcknowledgement: settings.groupAcknowledgement ?? 'word',
    guessing: settings.guessing ?? true,
    interruptionSensitivity: settings.interruptionSensitivity ?? business.interruptionSensitivity,
    idleMs,
    idlePrompts: reminders,
    sttDeadlineMs: patienceMs,
    hearsWords,
    knowsPhrases,
    asksWords,
    hearsTurns,
    // The dialogue watches the model; this only catches what it misses.
    replyDeadlineMs: firstWordWithinMs(setup, llmTimeoutMs) + SPEECH_DEADLINE_MS,
    speechDeadlineMs: SPEECH_DEADLINE_MS,
    maxUtteranceMs: MAX_UTTERANCE_MS,
  };
}

/** Whose replies begin alike. */
export function spokenBy({ id, voiceId, language }: CallSetup['agent']): Parameters<Openings['of']>[0] {
  return { agentId: id, voiceId, language };
}

export function callVoice(setup: Spoken): CallVoice {
  const { speed = 1 } = JSON.parse(setup.business.voiceSettings) as { speed?: number };
  return { voiceId: setup.agent.voiceId, speed, pronunciations: conversationOf(setup).pronunciations ?? [] };
}

/** The sample rate at which a call's audio is opened. */
export function openingRateHz(medium: CallMedium): OpenCall['sampleRateHz'] {
  if (medium.kind === 'web') return 16_000;
  return medium.kind === 'inbound' && medium.leg ? medium.leg.sampleRateHz : 8_000;
}

/** How each line of a call is given to the recogniser. */
export function hearing({ blockMs, denoise = false }: ConductorDeps['recogniser']) {
  return { sttBlockMs: blockMs, denoise };
}

/** The command that opens a call's audio in the shard. */
export function openCommand(
  { call, setup, medium }: ConductorOptions,
  entrance: AudioEntrance,
  recordingPath: string | null,
  deps: Pick<ConductorDeps, 'recogniser' | 'llmTimeoutMs' | 'store' | 'speechToSpeech'>,
): OpenCall {
  const { recogniser, llmTimeoutMs, store } = deps;
  const turn = turnConfig(setup, medium.kind === 'outbound', recogniser, llmTimeoutMs);
  const detectMachines = medium.kind === 'outbound' && medium.detectMachines;
  return {
    type: 'open',
    callId: call.id,
    sampleRateHz: openingRateHz(medium),
    transport: medium.kind === 'web' ? { kind: 'socket', token: medium.token } : entrance.transport,
    // A session has one conversation: an answer that was prepared for half a turn would stay in it.
    turn: speechToSpeechOf(deps, setup) ? { ...turn, guessing: false, hearsTurns: false } : turn,
    voice: callVoice(setup),
    vocabulary: vocabulary(setup, detectMachines),
    ...hearing(recogniser),
    recordingPath,
    amd: detectMachines ? { enabled: true } : null,
    ...(setup.headings !== null && store.vectorOf !== undefined ? { tellsCaller: true } : {}),
  };
}

/** The instructions of a speech-to-speech model as its session opens. */
export function speechSetup(briefing: DialogueRequest, setup: Pick<CallSetup, 'agent'>): SpeechSetup {
  const { language, tools, temperature = null } = briefing;
  const { speechModel: model = null, speechVoice: voice = null } = conversationOf(setup);
  return { instructions: sessionInstructions(briefing), tools, language, temperature, model, voice };
}

/** The speech-to-speech model of the agent's calls; null: the cascade answers. */
export function speechToSpeechOf(
  { speechToSpeech }: Pick<ConductorDeps, 'speechToSpeech'>,
  setup: Pick<CallSetup, 'agent'>,
): { engine: string } | null {
  return conversationOf(setup).speechToSpeech === false ? null : (speechToSpeech ?? null);
}

/** The row of an inbound call. */
export function inboundRow({ call, setup, medium, engineId }: ConductorOptions, nowMs: number): NewInboundCall {
  return {
    id: call.id,
    accountId: call.accountId,
    businessId: setup.business.id,
    campaignId: setup.campaign.id,
    agentId: setup.agent.id,
    phoneNumberId: call.phoneNumberId ?? '',
    fromNumber: call.fromNumber,
    toNumber: call.toNumber,
    forwardedFrom: call.forwardedFrom ?? null,
    callerName: call.callerName,
    variables: call.variables,
    trunkId: medium.kind === 'inbound' ? (medium.leg?.trunkId ?? null) : null,
    engineId,
    nowMs,
  };
}

/** The agent's opening: a greeting, and an invitation to speak for models that cannot give one in conversation. */
export function greeting(
  { call, setup, medium }: Greeted,
  deps: Pick<ConductorDeps, 'dialogue' | 'speechToSpeech'>,
  nowMs: number,
): string {
  // A menu of keys is for a model that cannot converse.
  const model: Pick<DialogueModel, 'invitation'> = speechToSpeechOf(deps, setup) ? {} : deps.dialogue;
  const { language } = setup.agent;
  const direction = medium.kind === 'outbound' ? 'outbound' : 'inbound';
  return greetingText({
    ...namesOf({ call, setup }),
    template: greetingTemplate(setup),
    direction,
    language,
    invitation:
      call.putThroughTo === undefined
        ? (model.invitation?.({ business: dialogueBusiness(setup), direction, language, nowMs }) ?? null)
        : phrasesFor(language).menu.connecting,
  });
}

/** The requests by which an inbound call on the telephone asks for its greeting, clause by clause. */
export function greetingRequests(
  setup: Spoken,
  deps: Pick<ConductorDeps, 'dialogue' | 'speechToSpeech'>,
  nowMs: number,
): SpeechRequest[] {
  const call = { callerName: null, variables: '{}' };
  return speechRequests(setup, clausesOf(greeting({ call, setup, medium: { kind: 'inbound' } }, deps, nowMs)));
}

/** The same for the sentences that every call of the agent may need at once, whatever its model is. */
export function sentenceRequests(setup: Spoken): SpeechRequest[] {
  const { call, menu } = phrasesFor(setup.agent.language);
  const own = setup.business.fallbackMessage?.trim();
  const waiting = [call.listening, call.groupHeard, call.letMeSee, call.oneMoment, call.takeYourTime];
  const silent = [menu.stillThere, `${menu.hangingUp} ${menu.goodbye}`, menu.timeIsShort];
  // These are spoken whole, not by their clauses.
  const apologies = own ? [own] : [call.fallback, call.sayAgain];
  return speechRequests(setup, [...[...waiting, ...silent].flatMap(clausesOf), ...apologies]);
}

function speechRequests(setup: Spoken, clauses: readonly string[]): SpeechRequest[] {
  const { voiceId, speed, pronunciations = [] } = callVoice(setup);
  const { language } = setup.agent;
  return clauses.map((clause) => {
    return { text: pronounced(clause, pronunciations), voiceId, speed, sampleRateHz: 8_000, language };
  });
}

/** The rules of redaction for the stored call, for its events, or for its recording; null: nothing is taken out. */
export function redactionOf(
  {
    call,
    setup,
    medium,
  }: {
    call: Pick<CallInfo, 'fromNumber' | 'toNumber' | 'callerName'>;
    setup: {
      business: Pick<CallSetup['business'], 'redaction'>;
      agent: Pick<CallSetup['agent'], 'language' | 'additionalLanguages'>;
    };
    medium: { kind: CallMedium['kind'] };
  },
  copy: RedactedCopy,
): RedactionRules | null {
  const ownNumber = medium.kind === 'outbound' ? call.fromNumber : call.toNumber;
  const { business, agent } = setup;
  return rulesOf({ business, agent, ownNumber, otherName: call.callerName }, copy);
}

/** The message for an answering machine; empty if none is left. */
export function voicemailMessage({ call, setup }: Pick<ConductorOptions, 'call' | 'setup'>): string {
  return fillTemplate(setup.campaign.voicemailMessage ?? '', namesOf({ call, setup }));
}

function namesOf({ call, setup }: Pick<Greeted, 'call' | 'setup'>): TemplateNames {
  return {
    businessName: setup.business.name,
    agentName: setup.agent.name,
    callerName: call.callerName,
    variables: parseTexts(call.variables),
  };
}

const phrasesOf = ({ phrases }: CallSetup['tools'][number]): string[] => JSON.parse(phrases) as string[];

/** `hearsMachines`: adds typical phrases of answering machines, to tell a machine from a person. */
export function vocabulary(setup: CallSetup, hearsMachines = false): SttVocabulary {
  const { agent, business } = setup;
  const { services, faqs, policies, resources = [] } = dialogueBusiness(setup);
  const { keywords = [] } = conversationOf(setup);
  return {
    language: agent.language,
    additionalLanguages: JSON.parse(agent.additionalLanguages) as string[],
    businessName: business.name,
    services: services.map((service) => service.name),
    // A heading is what somebody asks for, and often how.
    questions: [
      ...faqs.map((faq) => faq.question),
      ...policiesOf(policies).flatMap(({ title }) => title ?? []),
      ...(setup.headings ?? []),
    ],
    ...(keywords.length === 0 ? {} : { keywords }),
    // Tools have their own phrases, which are no questions of the business.
    phrases: [
      ...keywords,
      ...setup.tools.flatMap(phrasesOf),
      ...resources.map(({ name }) => `with ${name}`),
      ...(hearsMachines ? AMD_PHRASES : []),
    ],
  };
}
