// Records of what an agent asks and looks up: tools and documents.
import { sampleId as id } from '../delivery/samples.ts';
import { TEST_RECORDS } from './test-examples.ts';

const createdAt = new Date(Date.UTC(2026, 3, 30, 9, 30)).toISOString();

export const tool = {
  id: id('tol'),
  name: 'find_order',
  description: 'Finds an order by its number, and says where it is.',
  kind: 'http',
  url: 'https://shop.example/orders/{{number}}',
  method: 'GET',
  headerNames: ['Authorization'],
  parameters: {
    type: 'object',
    properties: { number: { type: 'string', description: 'As it stands on the receipt' } },
    required: ['number'],
  },
  timeoutMs: 4_000,
  sayWhile: 'I am looking that up.',
  mode: 'wait',
  assign: { customerName: 'customer.name' },
  when: ['where is my order'],
  onInterruption: 'finish',
  only: null,
  catalogue: null,
  catalogueAt: null,
  catalogueError: null,
  createdAt,
  publishedVersion: 3,
  draftVersion: null,
};

export const KNOWING: Record<string, unknown> = {
  Document: {
    id: id('kdc'),
    businessId: id('biz'),
    name: 'Warranty terms',
    kind: 'markdown',
    characters: 18_240,
    passages: 31,
    createdAt,
    sourceUrl: 'https://shop.example/warranty.md',
    refreshHours: 24,
    readAt: createdAt,
    error: null,
    embedding: 'done',
    embeddingError: null,
  },
  Passage: {
    documentId: id('kdc'),
    name: 'Warranty terms',
    heading: 'Warranty > Batteries',
    passage: 'The battery has a warranty of one year.',
  },
  Rerun: {
    id: id('rrn'),
    businessId: id('biz'),
    campaignId: null,
    startDate: '2026-04-01T00:00:00.000Z',
    endDate: null,
    missingOnly: false,
    webhooks: false,
    status: 'RUNNING',
    total: 412,
    done: 96,
    failed: 1,
    failures: [{ callId: id('call'), reason: 'The language model failed (LLM_TIMEOUT).' }],
    error: null,
    createdAt,
    endedAt: null,
  },
  ...TEST_RECORDS,
  Tool: tool,
  ToolTest: {
    request: {
      method: 'GET',
      url: 'https://shop.example/orders/4711',
      headers: { Authorization: '********', 'idempotency-key': 'test-0b7e3c1a-6f5d-4e0b-9a55-2f4b5c6d7e8f' },
      body: null,
    },
    answer: { status: 200, body: { state: 'shipped', customer: { name: 'Ada' } }, isCut: false },
    tookMs: 84,
    result: { ok: true, status: 200, data: { state: 'shipped', customer: { name: 'Ada' } } },
    assigned: { customerName: 'Ada' },
  },
};
