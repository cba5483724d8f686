// A request to a dialogue model: a caller of the sample dentist, with the given differences.
import type { DialogueRequest } from '../../../models/llm/llm.ts';
import { DENTIST } from '../rows/businesses.ts';

export const dialogueRequest = (changes: Partial<DialogueRequest> = {}): DialogueRequest => ({
  business: DENTIST,
  agentName: 'Robin',
  callerNumber: '+15550100',
  callerName: null,
  direction: 'inbound',
  language: 'en-US',
  additionalLanguages: [],
  instructions: null,
  variables: {},
  messages: [{ role: 'caller', text: 'hello', understood: true }],
  tools: [{ name: 'end_call', description: 'Hang up', parameters: { type: 'object', properties: {} } }],
  memory: null,
  nowMs: Date.parse('2026-11-23T15:20:00Z'),
  ...changes,
});
