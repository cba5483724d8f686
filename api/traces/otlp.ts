// Spans as the JSON of OTLP/HTTP (opentelemetry.io/docs/specs/otlp, ExportTraceServiceRequest): ids in hexadecimal
// digits, times in nanoseconds and whole numbers as texts.
import type { AttributeValue, Span } from './spans.ts';

const KINDS = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;

const nanos = (ms: number): string => `${Math.round(ms)}000000`;

function anyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const attributesOf = (attributes: Readonly<Record<string, AttributeValue>>): object[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

export function otlpBody(spans: readonly Span[], serviceName: string): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': serviceName }) },
        scopeSpans: [{ scope: { name: 'voice-calls' }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

const spanOf = ({ parentSpanId, startMs, endMs, kind, attributes, events, error, ...ids }: Span): object => ({
  ...ids,
  ...(parentSpanId === null ? {} : { parentSpanId }),
  kind: KINDS[kind],
  startTimeUnixNano: nanos(startMs),
  endTimeUnixNano: nanos(endMs),
  attributes: attributesOf(attributes),
  events: events.map((event) => ({
    name: event.name,
    timeUnixNano: nanos(event.atMs),
    attributes: attributesOf(event.attributes),
  })),
  status: error === null ? {} : { code: STATUS_ERROR, message: error },
});
