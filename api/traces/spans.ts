// A call as a trace of OpenTelemetry: one span for the call, below it a span for each turn with recogniser, model and
// voice, and for each tool and transfer. Names and attributes are those of the semantic conventions for generative AI
// (opentelemetry.io/docs/specs/semconv/gen-ai) where they have one, else `voice.*`. The ids follow from the call's: a
// trace that is sent twice is one.
import { createHash } from 'node:crypto';
import type { CallTimeline, TurnTiming } from '../../db/domain/calls/timeline.ts';
import { amountText } from '../../db/domain/cost/money.ts';
import type { CostSums } from '../../db/domain/cost/pricing.ts';
import type { CallUsage, TranscriptEntry } from '../../db/records/resources.ts';

export type AttributeValue = string | number | boolean;

export interface Span {
  /** 16 bytes, in hexadecimal digits. */
  traceId: string;
  /** 8 bytes. */
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** Wall clock. */
  startMs: number;
  endMs: number;
  attributes: Record<string, AttributeValue>;
  events: Array<{ name: string; atMs: number; attributes: Record<string, AttributeValue> }>;
  /** In words; null: it did not fail. */
  error: string | null;
}

export interface TracedCall {
  id: string;
  accountId: string;
  agentId: string;
  campaignId: string;
  businessId: string;
  direction: 'inbound' | 'outbound';
  status: string;
  outcome: string | null;
  endReason: string | null;
  fromNumber: string;
  toNumber: string;
  startedAt: number;
  answeredAt: number | null;
  endedAt: number;
  sipStatus: number | null;
  transcript: readonly TranscriptEntry[];
  usage: CallUsage | null;
  /** Of the dialogue; null: not known. */
  model: string | null;
  /** Null: no price is known. */
  cost: CostSums | null;
}

interface SpanOptions {
  /** Texts of caller and agent, arguments and results of tools, and numbers. */
  hasContent: boolean;
}

const idOf = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, bytes * 2);

export const traceIdOf = (callId: string): string => idOf(`trace ${callId}`, 16);

export function callSpans(call: TracedCall, timeline: CallTimeline | null, options: SpanOptions): Span[] {
  const traceId = traceIdOf(call.id);
  const zeroMs = call.answeredAt ?? call.startedAt;
  const spans: Span[] = [];
  const add = (
    name: string,
    parent: Span | null,
    [fromMs, toMs]: readonly [number, number],
    { kind = 'internal', attributes = {}, error = null }: Partial<Pick<Span, 'kind' | 'attributes' | 'error'>>,
  ): Span => {
    const span: Span = {
      ...{ traceId, spanId: idOf(`span ${call.id} ${spans.length}`, 8), parentSpanId: parent?.spanId ?? null },
      ...{ name, kind, startMs: fromMs, endMs: Math.max(fromMs, toMs), attributes, events: [], error },
    };
    spans.push(span);
    return span;
  };
  const at = (ms: number): number => zeroMs + ms;
  const root = add(`call ${call.direction}`, null, [call.startedAt, call.endedAt], {
    kind: call.direction === 'inbound' ? 'server' : 'client',
    attributes: callAttributes(call, options),
    error: call.status === 'FAILED' ? (call.endReason ?? 'failed') : null,
  });
  for (const { onsetAtMs, silentAtMs } of timeline?.bargeIns ?? [])
    root.events.push({
      name: 'voice.barge_in',
      atMs: at(onsetAtMs),
      attributes: { 'voice.silent_after_ms': silentAtMs - onsetAtMs },
    });
  for (const turn of timeline?.turns ?? []) {
    const span = add('turn', root, [at(turn.speechEndAtMs), at(turn.firstPacketAtMs)], {
      attributes: {
        'voice.gap_ms': turn.gapMs,
        'voice.measured_on': turn.measuredOn,
        'voice.prepared_before_end': turn.guessed,
        ...(options.hasContent ? wordsOf(turn, call.transcript) : {}),
      },
    });
    for (const { name, from, to, attributes = {} } of stagesOf(turn, call))
      if (from !== null && to !== null && to >= from)
        add(name, span, [at(from), at(to)], { kind: name === 'end of turn' ? 'internal' : 'client', attributes });
  }
  for (const tool of timeline?.toolCalls ?? [])
    add(`execute_tool ${tool.name}`, root, [at(tool.startedAtMs), at(tool.startedAtMs + tool.tookMs)], {
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool.name,
        'voice.outcome': tool.outcome,
        ...(options.hasContent
          ? {
              'gen_ai.tool.call.arguments': JSON.stringify(tool.arguments ?? null),
              'gen_ai.tool.call.result': JSON.stringify(tool.result ?? null),
            }
          : {}),
      },
      error: tool.outcome === 'done' ? null : tool.outcome,
    });
  for (const transfer of timeline?.transfers ?? [])
    add('transfer', root, [at(transfer.startedAtMs), at(transfer.startedAtMs + transfer.tookMs)], {
      kind: 'client',
      attributes: {
        'voice.transfer.mode': transfer.mode,
        'voice.transfer.result': transfer.result,
        ...(options.hasContent ? { 'voice.transfer.destination': transfer.destination } : {}),
      },
    });
  return spans;
}

/** In the currency, by the parts that have a price. */
function costAttributes(cost: CostSums | null): Span['attributes'] {
  if (cost?.total == null || cost.currency === null) return {};
  const attributes: Span['attributes'] = { 'voice.cost.currency': cost.currency };
  for (const part of ['llm', 'stt', 'tts', 'trunk', 'total'] as const)
    if (cost[part] !== null) attributes[`voice.cost.${part}`] = Number(amountText(cost[part]));
  return attributes;
}

function callAttributes(call: TracedCall, { hasContent }: SpanOptions): Span['attributes'] {
  const { usage, model, outcome, endReason, sipStatus } = call;
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': call.agentId,
    'gen_ai.conversation.id': call.id,
    'voice.account.id': call.accountId,
    'voice.campaign.id': call.campaignId,
    'voice.business.id': call.businessId,
    'voice.direction': call.direction,
    'voice.status': call.status,
    ...(outcome === null ? {} : { 'voice.outcome': outcome }),
    ...(endReason === null ? {} : { 'voice.end_reason': endReason }),
    ...(sipStatus === null ? {} : { 'voice.sip_status': sipStatus }),
    ...(call.answeredAt === null ? {} : { 'voice.rang_ms': call.answeredAt - call.startedAt }),
    ...modelAttributes(model),
    ...(usage === null ? {} : { 'voice.model_requests': usage.requests }),
    ...(usage?.promptTokens == null ? {} : { 'gen_ai.usage.input_tokens': usage.promptTokens }),
    ...(usage?.completionTokens == null ? {} : { 'gen_ai.usage.output_tokens': usage.completionTokens }),
    ...costAttributes(call.cost),
    ...(hasContent ? { 'voice.from': call.fromNumber, 'voice.to': call.toNumber } : {}),
  };
}

/** The provider is the one whose interface the model has, also where another server speaks it. */
const modelAttributes = (model: string | null): Span['attributes'] =>
  model === null ? {} : { 'gen_ai.request.model': model, 'gen_ai.provider.name': 'openai' };

interface Stage {
  name: string;
  from: number | null;
  to: number | null;
  attributes?: Span['attributes'];
}

const stagesOf = (turn: TurnTiming, { model }: TracedCall): Stage[] => [
  { name: 'speech_to_text', from: turn.speechEndAtMs, to: turn.recognisedAtMs },
  { name: 'end of turn', from: turn.speechEndAtMs, to: turn.turnEndAtMs },
  {
    name: model === null ? 'chat' : `chat ${model}`,
    from: turn.askedAtMs,
    to: turn.firstClauseAtMs ?? turn.firstTokenAtMs,
    attributes: {
      'gen_ai.operation.name': 'chat',
      ...modelAttributes(model),
      ...(turn.askedAtMs === null || turn.firstTokenAtMs === null
        ? {}
        : { 'voice.first_token_ms': turn.firstTokenAtMs - turn.askedAtMs }),
    },
  },
  { name: 'text_to_speech', from: turn.firstClauseAtMs, to: turn.firstAudioAtMs },
];

/** The caller's last words before the end of the turn, and the agent's first after it. */
function wordsOf(turn: TurnTiming, transcript: readonly TranscriptEntry[]): Span['attributes'] {
  const said = transcript.findLast(({ speaker, timestamp }) => speaker === 'caller' && timestamp <= turn.speechEndAtMs);
  const answer = transcript.find(({ speaker, timestamp }) => speaker === 'agent' && timestamp >= turn.speechEndAtMs);
  const messages = (role: 'user' | 'assistant', content: string): string =>
    JSON.stringify([
      { role, parts: [{ type: 'text', content }], ...(role === 'assistant' ? { finish_reason: 'stop' } : {}) },
    ]);
  return {
    ...(said === undefined ? {} : { 'gen_ai.input.messages': messages('user', said.text) }),
    ...(answer === undefined ? {} : { 'gen_ai.output.messages': messages('assistant', answer.text) }),
  };
}
