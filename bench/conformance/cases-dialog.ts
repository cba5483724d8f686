// Requests to an agent in the middle of a call: hold, other codecs, other addresses, session timers, digits,
// transfers, lost messages.
import { headerValue, methodOf, statusOf } from '../../engine/test-runs/caller/phone/sip-text.ts';
import { CallAudio } from './audio.ts';
import { G711, type Offer, type TestedCall } from './call.ts';
import {
  type Bench,
  type Case,
  failed,
  hears,
  inCall,
  inconclusive,
  isAccepted,
  isDeclined,
  isQuiet,
  passed,
  said,
  talks,
  unharmed,
  unsupported,
  type Verdict,
  withCall,
} from './case.ts';

/** Packets that were under way when the other side answered. */
const UNDER_WAY_MS = 300;
/** RFC 3261 17.1.2.2: T1 is 500 ms; a repetition may be twice as late as it. */
const REPEATED_WITHIN_MS = 2_500;
const HANGS_UP_WITHIN_MS = 25_000;

const directionOf = (answer: string): string =>
  /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(answer)?.[1] ?? 'sendrecv';

function hold(name: string, direction: 'sendonly' | 'inactive', answers: readonly string[]): Case {
  return {
    name,
    what: `put on hold with ${direction}: answered so, silent, and back after it`,
    source: 'RFC 3264 8.4, 6.1',
    run: (bench) =>
      inCall(bench, async (call) => {
        const held = await call.reinvite({ ...G711, direction });
        if (!isAccepted(held)) return failed(`hold: ${said(held)}`);
        const answered = directionOf(held);
        if (!answers.includes(answered)) return failed(`answered ${answered} to ${direction}`);
        await call.pause(UNDER_WAY_MS);
        const heldAtMs = performance.now();
        await call.pause(1_500);
        const sent = call.audio.since(heldAtMs).length;
        const back = await call.reinvite(G711);
        if (!isAccepted(back)) return failed(`back from hold: ${said(back)}`);
        if (directionOf(back) !== 'sendrecv') return failed(`back from hold: ${directionOf(back)}`);
        if (sent > 0) return failed(`${sent} packets while on hold`);
        return unharmed(call, bench, passed(`answered ${answered}, no packet, and it answers after it`));
      }),
  };
}

/** A request in the call that needs an answer of 200. */
const asked = (
  name: string,
  what: string,
  source: string,
  ask: (call: TestedCall) => Promise<string | null>,
): Case => ({
  name,
  what,
  source,
  run: (bench) =>
    inCall(bench, async (call) => {
      const answer = await ask(call);
      if (isDeclined(answer)) return unharmed(call, bench, unsupported(`refused with ${said(answer)}`));
      if (!isAccepted(answer)) return failed(said(answer));
      return unharmed(call, bench, passed(said(answer)));
    }),
});

/** Words are spoken until the agent sends such a request, which is not answered at first. */
function lost(name: string, method: 'BYE' | 'REFER', words: (bench: Bench) => Int16Array | null): Case {
  return {
    name,
    what: `the agent's ${method} is lost on its way: it comes again`,
    source: 'RFC 3261 17.1.2.2',
    run: (bench) => {
      const spoken = words(bench);
      if (spoken === null)
        return Promise.resolve(inconclusive(`no --${method === 'BYE' ? 'goodbye' : 'transfer'} words were given`));
      return inCall(bench, async (call) => {
        let seen = 0;
        // The first one is lost.
        call.takes = (request) => methodOf(request) === method && ++seen === 1;
        await isQuiet(call);
        call.audio.speak(spoken);
        if ((await call.until(() => seen > 0, HANGS_UP_WITHIN_MS)) === null) return inconclusive(`no ${method} came`);
        const again = await call.until(() => seen > 1, REPEATED_WITHIN_MS);
        return again === null ? failed(`the ${method} came once`) : passed(`the ${method} came again`);
      });
    },
  };
}

async function movedAudio(call: TestedCall, bench: Bench): Promise<Verdict> {
  const elsewhere = await CallAudio.open(bench.localHost);
  try {
    const offer = call.describe(G711).replace(/m=audio \d+/, `m=audio ${elsewhere.port}`);
    const answer = await call.ask('INVITE', offer);
    if (!isAccepted(answer)) return failed(`re-INVITE: ${said(answer)}`);
    // An agent may send to where packets come from (RFC 4961): they come from the new port now.
    call.acknowledge(answer, '', '', elsewhere);
    await call.pause(UNDER_WAY_MS);
    const movedAtMs = performance.now();
    await call.until(() => elsewhere.isQuietFor(1_000), 20_000);
    elsewhere.speak(bench.question);
    const askedAtMs = performance.now();
    const came = await call.until(() => elsewhere.since(askedAtMs).some(({ isSound }) => isSound), 15_000);
    const late = call.audio.since(movedAtMs).length;
    if (came === null) return failed('no sound at the new port');
    return late > 0 ? failed(`${late} packets went on to the old port`) : passed('all packets at the new port');
  } finally {
    elsewhere.close();
  }
}

async function withoutOffer(call: TestedCall, bench: Bench): Promise<Verdict> {
  const answer = await call.ask('INVITE');
  if (!isAccepted(answer)) return failed(`re-INVITE: ${said(answer)}`);
  if (!/^m=audio [1-9]/m.test(answer)) return failed('answered without an offer');
  const format = /^m=audio \d+ \S+ (?:.* )?([08])(?: |\r)/m.exec(answer)?.[1] ?? '0';
  const maps = [format === '0' ? '0 PCMU/8000' : '8 PCMA/8000'];
  call.acknowledge(answer, '', call.describe({ formats: format, maps }));
  return unharmed(call, bench, passed('offers again'));
}

async function codecChange(call: TestedCall, bench: Bench): Promise<Verdict> {
  const pcma: Offer = { formats: '8 101', maps: ['8 PCMA/8000', '101 telephone-event/8000'] };
  const answer = await call.reinvite(pcma);
  if (!isAccepted(answer)) return failed(`re-INVITE: ${said(answer)}`);
  await call.pause(UNDER_WAY_MS);
  const changedAtMs = performance.now();
  if (!(await talks(call, bench))) return failed('no answer to a question in the new codec');
  const old = call.audio.since(changedAtMs).filter(({ payloadType }) => payloadType === 0).length;
  return old > 0 ? failed(`${old} packets of PCMU after PCMA was agreed on`) : passed('PCMA from then on');
}

async function digits(call: TestedCall, bench: Bench): Promise<Verdict> {
  if (call.audio.eventPayloadType === null) return unsupported('the answer has no telephone-event');
  call.audio.press('1234#');
  await call.pause(1_500);
  return unharmed(call, bench, passed('taken, and it answers a question after it'));
}

/** A session of 90 s that the agent must refresh: by half of it (RFC 4028 10). */
async function refreshes(bench: Bench): Promise<Verdict> {
  return withCall(bench, async (call) => {
    const answer = await call.place(G711, ['Supported: timer', 'Session-Expires: 90;refresher=uas']);
    if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
    const timer = headerValue(answer, 'Session-Expires');
    if (!/^90;.*refresher=uas/.test(timer)) return unsupported(`Session-Expires of the answer: "${timer}"`);
    const refresh = (): boolean => [...call.requests('UPDATE'), ...call.requests('INVITE')].length > 0;
    // A caller who says nothing for a minute may be hung up on.
    for (const untilMs = performance.now() + 65_000; performance.now() < untilMs && call.isUp; ) {
      call.audio.speak(bench.question);
      if ((await call.until(refresh, 8_000)) !== null) return passed('refreshed');
    }
    return call.isUp ? failed('not refreshed within 65 s') : inconclusive('the agent ended the call');
  });
}

const DTMF_RELAY = 'Content-Type: application/dtmf-relay';

export const DIALOG_CASES: readonly Case[] = [
  hold('hold', 'sendonly', ['recvonly', 'inactive']),
  hold('hold-inactive', 'inactive', ['inactive']),
  {
    name: 'codec-change',
    what: 'a re-INVITE changes the codec from PCMU to PCMA',
    source: 'RFC 3264 8.3.2',
    run: (bench) => inCall(bench, (call) => codecChange(call, bench)),
  },
  {
    name: 'moved-audio',
    what: 'a re-INVITE moves the audio to another port',
    source: 'RFC 3264 8.3.1',
    run: (bench) => inCall(bench, (call) => movedAudio(call, bench)),
  },
  {
    name: 'reinvite-late-offer',
    what: 'a re-INVITE without an offer, as carriers check that a call is alive',
    source: 'RFC 3261 14.2',
    run: (bench) => inCall(bench, (call) => withoutOffer(call, bench)),
  },
  {
    name: 'dtmf',
    what: 'keys in RTP: announced in the answer, and the call goes on',
    source: 'RFC 4733',
    run: (bench) => inCall(bench, (call) => digits(call, bench)),
  },
  asked('dtmf-info', 'a key by INFO', 'RFC 2976', (call) =>
    call.ask('INFO', 'Signal=5\r\nDuration=160\r\n', [DTMF_RELAY]),
  ),
  asked('refer', 'the caller asks the agent to call somebody else', 'RFC 3515 2.4.2', (call) =>
    call.ask('REFER', '', ['Refer-To: <sip:+15550100@127.0.0.1:9>']),
  ),
  asked('options', 'OPTIONS in the call, as carriers check that it is alive', 'RFC 3261 11', (call) =>
    call.ask('OPTIONS'),
  ),
  asked('update', 'UPDATE without an offer refreshes the session', 'RFC 3311 5.2', (call) => call.ask('UPDATE')),
  {
    name: 'unknown-method',
    what: 'a method that nobody knows is refused with 405 or 501, and the call goes on',
    source: 'RFC 3261 8.2.1',
    run: (bench) =>
      inCall(bench, async (call) => {
        const answer = await call.ask('BREW');
        if (answer === null) return failed('no answer');
        if (![405, 501].includes(statusOf(answer))) return failed(`${statusOf(answer)} where 405 or 501 is due`);
        return unharmed(call, bench, passed(said(answer)));
      }),
  },
  {
    name: 'session-timer',
    what: 'a session timer that the caller refreshes: kept in the answer, and the refresh is taken',
    source: 'RFC 4028 9',
    run: (bench) =>
      withCall(bench, async (call) => {
        const answer = await call.place(G711, ['Supported: timer', 'Session-Expires: 90;refresher=uac']);
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        const timer = headerValue(answer, 'Session-Expires');
        if (timer === '') return unsupported('the answer has no Session-Expires');
        if (!/^90;.*refresher=uac/.test(timer)) return failed(`Session-Expires of the answer: "${timer}"`);
        const headers = ['Supported: timer', 'Session-Expires: 90;refresher=uac'];
        const refreshed = await call.ask('UPDATE', '', headers);
        if (!isAccepted(refreshed)) return failed(`UPDATE: ${said(refreshed)}`);
        if (headerValue(refreshed, 'Session-Expires') === '') return failed('the refresh ended the timer');
        return unharmed(call, bench, passed('kept and refreshed'));
      }),
  },
  {
    name: 'session-timer-short',
    what: 'a session timer below 90 s is refused with 422 and Min-SE, or left out',
    source: 'RFC 4028 6',
    run: (bench) =>
      withCall(bench, async (call) => {
        const answer = await call.place(G711, ['Supported: timer', 'Session-Expires: 20']);
        if (answer === null) return failed('no answer');
        const least = Number.parseInt(headerValue(answer, 'Min-SE'), 10);
        if (statusOf(answer) === 422)
          return least >= 90 ? passed(`422, Min-SE ${least}`) : failed('422 without Min-SE');
        const timer = headerValue(answer, 'Session-Expires');
        if (!isAccepted(answer)) return failed(said(answer));
        return timer === '' ? unsupported('answered without a timer') : failed(`accepted with "${timer}"`);
      }),
  },
  {
    name: 'session-timer-agent',
    what: 'a session timer that the agent refreshes (takes a minute)',
    source: 'RFC 4028 10',
    run: refreshes,
  },
  {
    name: 'bye-retransmit',
    what: 'the same BYE twice, as when its answer was lost: answered both times',
    source: 'RFC 3261 17.2.2',
    run: (bench) =>
      inCall(bench, async (call) => {
        const bye = call.compose('BYE');
        call.send(bye);
        if ((await call.until(() => call.finalTo(bye))) === null) return failed('no answer to the BYE');
        const sentAtMs = performance.now();
        await call.pause(UNDER_WAY_MS);
        const stopped = performance.now();
        await call.pause(1_000);
        const after = call.audio.since(stopped).length;
        call.send(bye);
        const again = await call.until(() => call.answersTo(bye).find(({ atMs }) => atMs > sentAtMs), 2_000);
        if (after > 0) return failed(`${after} packets after the BYE`);
        return again === null ? failed('the second BYE was not answered') : passed(said(again.text));
      }),
  },
  lost('bye-lost', 'BYE', ({ goodbye }) => goodbye),
  lost('refer-lost', 'REFER', ({ transfer }) => transfer),
  {
    name: 'ends-alone',
    what: 'the caller hangs up while the agent speaks: no packet of audio after it',
    source: 'RFC 3261 15.1.2',
    run: (bench) =>
      inCall(bench, async (call) => {
        if (!(await hears(call, performance.now(), 2_000))) return inconclusive('the agent was silent already');
        const answer = await call.ask('BYE');
        if (!isAccepted(answer)) return failed(`BYE: ${said(answer)}`);
        await call.pause(UNDER_WAY_MS);
        const endedAtMs = performance.now();
        await call.pause(1_000);
        const late = call.audio.since(endedAtMs).length;
        return late === 0 ? passed('silent') : failed(`${late} packets after the BYE`);
      }),
  },
];
