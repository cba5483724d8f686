// Prices, sums and the costs of a call as the OpenAPI document shows them.
import { sampleId as id } from '../delivery/samples.ts';
import { createdAt } from './shared-records.ts';

const cost = {
  ...{ llm: '0.0036', stt: '0.00215', tts: '0.024', trunk: '0.025', total: '0.05475' },
  ...{ currency: 'USD', estimated: false, partial: false },
};
const line = {
  ...{ kind: 'llm', purpose: 'call', engine: 'openai', model: 'gpt-4.1-mini', trunkId: null, direction: null },
  ...{ requests: 4, seconds: 0, billedSeconds: null, characters: 0 },
  ...{ inputTokens: 10_000, cachedTokens: 4_000, outputTokens: 500 },
  ...{ estimated: false, amount: '0.0036', priceId: id('prc') },
};
const sum = {
  ...{ group: '2026-05-01', name: null, currency: 'USD', calls: 41, partialCalls: 0 },
  ...{ llm: '0.12', stt: '0.21', tts: '0.98', trunk: '1.40', total: '2.71' },
};

export const COST_EXAMPLES: Record<string, unknown> = {
  AddedPrices: { added: 214 },
  Cost: { id: id('call'), cost, lines: [line] },
  CostLine: line,
  CostSum: sum,
  CostSums: { from: '2026-05-01', to: '2026-05-01', sums: [sum] },
  Price: {
    ...{
      id: id('prc'),
      kind: 'llm',
      engine: 'openai',
      model: 'gpt-4.1*',
      trunkId: null,
      direction: null,
      prefix: null,
    },
    ...{ perMinute: null, perThousandCharacters: null, connectionFee: null, increment: null },
    ...{ perMillionInput: '0.40', perMillionCached: '0.10', perMillionOutput: '1.60' },
    ...{ currency: 'USD', validFrom: createdAt, createdAt },
  },
};
