// Every page of the dashboard by its address, over a service in which something of everything exists.

import { renderSpeech } from '../../../bench/caller/speech.ts';
import type { Service } from '../../../bench/service.ts';
import { greeted } from '../../support/conversation.ts';
import type { Rest } from '../../support/rest.ts';

export interface PageAddress {
  /** Of its pictures. */
  name: string;
  /** Behind the hash. */
  address: string;
  /** Its heading. */
  heading: string | RegExp;
  isPublic?: boolean;
}

type Ids = Record<'agentId' | 'businessId' | 'campaignId' | 'callId', string>;

/** What the demo brings, and a call to it. */
export async function seed(service: Service, rest: Rest): Promise<Ids> {
  const first = async (path: string): Promise<string> => {
    const { body } = await rest.request<Array<{ id: string }>>('GET', path);
    return body.data[0]?.id ?? '';
  };
  const { caller, number } = await greeted(service);
  const askedAt = await caller.call.speak(await renderSpeech('What are your opening hours?', 'flite-slt'));
  await caller.agentSound(askedAt);
  await caller.agentQuiet(900);
  await caller.hangUp();
  const call = await rest.endedCall(number);
  return {
    agentId: await first('/agents'),
    businessId: await first('/businesses'),
    campaignId: await first('/campaigns'),
    callId: call.id,
  };
}

export const pagesOf = (ids: Ids): readonly PageAddress[] => [
  { name: 'sign-in', address: '/sign-in', heading: 'Sign in', isPublic: true },
  { name: 'register', address: '/register', heading: 'Create an account', isPublic: true },
  { name: 'forgot-password', address: '/forgot-password', heading: 'Forgot your password?', isPublic: true },
  { name: 'overview', address: '/', heading: 'Overview' },
  { name: 'agents', address: '/agents', heading: 'Agents' },
  { name: 'agent', address: `/agents/${ids.agentId}`, heading: /./ },
  { name: 'agent-new', address: '/agents/new', heading: 'New agent' },
  { name: 'components', address: '/components', heading: 'Components' },
];
