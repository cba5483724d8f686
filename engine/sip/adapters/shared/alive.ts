// Asks another engine by OPTIONS whether it lives.
import type { SipAgent } from '../../dialog/sip-agent.ts';
import { newCallId, newTag } from '../../stack/transaction/transaction-layer.ts';
import { header, type SipRequest, type SipResponse } from '../../stack/wire/message.ts';

/** False without an answer within this time; UDP may have lost the question or its answer: the caller asks again. */
export async function answersOptions(agent: SipAgent, uri: string, withinMs: number): Promise<boolean> {
  const [to] = await agent.locate(uri, null);
  if (to === undefined) return false;
  const own = agent.contact(to);
  const request: SipRequest = {
    kind: 'request',
    method: 'OPTIONS',
    uri,
    headers: [
      { name: 'max-forwards', value: '70' },
      { name: 'from', value: `${own};tag=${newTag()}` },
      { name: 'to', value: `<${uri}>` },
      { name: 'call-id', value: newCallId() },
      { name: 'cseq', value: '1 OPTIONS' },
      { name: 'contact', value: own },
    ],
    body: Buffer.alloc(0),
  };
  return new Promise((resolve) => {
    const done = (answers: boolean): void => {
      stopWaiting();
      resolve(answers);
    };
    const stopWaiting = agent.clock.after(withinMs, () => done(false));
    agent.layer.request(request, to, {
      response: ({ message }) => {
        if (message.status >= 200) done(isOfEngine(message));
      },
      failed: () => done(false),
    });
  });
}

/** An engine without room says when to come again; a drachtio whose engine is gone answers 503 too, without. */
const isOfEngine = (message: SipResponse): boolean =>
  message.status === 200 || (message.status === 503 && header(message, 'retry-after') !== undefined);
