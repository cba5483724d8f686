// Asks another engine by OPTIONS whether it lives.
import type { SipAgent } from '../../dialog/sip-agent.ts';
import { newCallId, newTag } from '../../stack/transaction/transaction-layer.ts';
import { header, type SipRequest, type SipResponse } from '../../stack/wire/message.ts';

/** UDP has lost one question by then, and the next one its answer: the caller asks again. */
const ANSWER_WITHIN_MS = 1_000;

/** False without an answer within a second. */
export async function answersOptions(agent: SipAgent, uri: string): Promise<boolean> {
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
    const stopWaiting = agent.clock.after(ANSWER_WITHIN_MS, () => done(false));
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
