// How a call comes about: transports, offers, retransmissions, refusals.
import { randomBytes } from 'node:crypto';
import {
  cseqOf,
  headerValue,
  methodOf,
  SDP_TYPE,
  statusOf,
  tagOf,
} from '../../engine/test-runs/caller/phone/sip-text.ts';
import { G711, type Offer } from './call.ts';
import {
  type Case,
  failed,
  hears,
  inconclusive,
  isAccepted,
  isDeclined,
  passed,
  said,
  unsupported,
  type Verdict,
  withCall,
} from './case.ts';

const PCMA: Offer = { formats: '8 101', maps: ['8 PCMA/8000', '101 telephone-event/8000'] };
const UNKNOWN: Offer = { formats: '97', maps: ['97 X-NOBODY-HAS-IT/8000'] };
/** RFC 3261 17.1.1.2: a 200 is repeated after T1, 500 ms, until the ACK comes. */
const REPEATED_WITHIN_MS = 1_700;

const greets = (name: string, what: string, source: string, transport: 'udp' | 'tcp'): Case => ({
  name,
  what,
  source,
  run: (bench) =>
    withCall(
      bench,
      async (call) => {
        const answer = await call.place();
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        const answeredAtMs = performance.now();
        if (!(await hears(call, answeredAtMs))) return failed('no sound within 12 s of the answer');
        const first = call.audio.packets.find(({ isSound }) => isSound)?.atMs ?? 0;
        return passed(`speaks ${Math.max(0, Math.round(first - answeredAtMs))} ms after the answer`);
      },
      transport,
    ),
});

const RACES = 3;

/** An agent that answers sooner than the CANCEL comes is called again. */
async function untilConclusive(run: () => Promise<Verdict>): Promise<Verdict> {
  let result = await run();
  for (let race = 1; race < RACES && result.verdict === 'inconclusive'; race++) result = await run();
  return result;
}

export const SETUP_CASES: readonly Case[] = [
  greets('greeting', 'the agent answers and speaks first', 'RFC 3261 13', 'udp'),
  greets('tcp', 'the same over TCP, with more bytes than a datagram may have', 'RFC 3261 18.1.1', 'tcp'),
  {
    name: 'tls',
    what: 'the same over TLS',
    source: 'RFC 3261 26.2',
    run: async (bench) => {
      if (bench.tlsPort === null) return inconclusive('no --tls-port was given');
      return withCall(
        bench,
        async (call) => {
          const answer = await call.place();
          if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
          return (await hears(call, 0)) ? passed('answers and speaks') : failed('no sound');
        },
        'tls',
        bench.tlsPort,
      );
    },
  },
  {
    name: 'srtp',
    what: 'RTP/SAVP with a key in the description: answered so, and every packet opens with the answered key',
    source: 'RFC 3711, 4568',
    run: (bench) =>
      withCall(
        bench,
        async (call) => {
          const keySalt = randomBytes(30).toString('base64');
          const invite = call.compose('INVITE', call.describe({ ...G711, keySalt }));
          call.send(invite);
          const answer = await call.until(() => call.finalTo(invite), 15_000);
          if (isDeclined(answer)) {
            call.acknowledge(answer ?? '', invite);
            return unsupported(`refused with ${said(answer)}`);
          }
          if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
          const theirs = /a=crypto:\d+ AES_CM_128_HMAC_SHA1_80 inline:([\w+/=]{40})/.exec(answer)?.[1];
          if (theirs === undefined || !answer.includes('RTP/SAVP')) return failed('accepted without a key of its own');
          call.audio.secure(keySalt, theirs);
          call.acknowledge(answer);
          if (!(await hears(call, 0))) return failed('no sound that its key opens');
          return call.audio.unreadable > 1
            ? failed(`${call.audio.unreadable} packets do not open with its key`)
            : passed(`all ${call.audio.packets.length} packets open`);
        },
        bench.tlsPort === null ? 'udp' : 'tls',
        bench.tlsPort ?? bench.target.port,
      ),
  },
  {
    name: 'codec-pcma',
    what: 'an offer of PCMA alone: answered so, and spoken so',
    source: 'RFC 3264 6',
    run: (bench) =>
      withCall(bench, async (call) => {
        const answer = await call.place(PCMA);
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        if (!(await hears(call, 0))) return failed('no sound');
        const other = call.audio.packets.filter(({ payloadType }) => ![8, 13, 101].includes(payloadType)).length;
        return other === 0 ? passed('PCMA only') : failed(`${other} packets of a format that was not offered`);
      }),
  },
  {
    name: 'codec-unknown',
    what: 'an offer of nothing that it knows is refused, not accepted in silence',
    source: 'RFC 3261 21.4.26',
    run: (bench) =>
      withCall(bench, async (call) => {
        const answer = await call.place(UNKNOWN);
        if (answer === null) return failed('no answer');
        return statusOf(answer) === 488 || statusOf(answer) === 606
          ? passed(`refused with ${statusOf(answer)}`)
          : failed(`${statusOf(answer)} where 488 is due`);
      }),
  },
  {
    name: 'late-offer',
    what: 'an INVITE without an offer: the answer offers, the ACK answers',
    source: 'RFC 3261 13.2.1',
    run: (bench) =>
      withCall(bench, async (call) => {
        const invite = call.compose('INVITE');
        call.send(invite);
        const answer = await call.until(() => call.finalTo(invite), 15_000);
        if (isDeclined(answer)) {
          call.acknowledge(answer ?? '', invite);
          return unsupported(`refused with ${said(answer)}`);
        }
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        if (!/^m=audio [1-9]/m.test(answer)) return failed('answered without an offer');
        const format = /^m=audio \d+ \S+ (?:.* )?([08])(?: |\r)/m.exec(answer)?.[1] ?? '0';
        call.acknowledge(
          answer,
          '',
          call.describe({ formats: format, maps: [format === '0' ? '0 PCMU/8000' : '8 PCMA/8000'] }),
        );
        return (await hears(call, 0)) ? passed('offers, and speaks after the answer') : failed('no sound');
      }),
  },
  {
    name: 'invite-retransmit',
    what: 'the same INVITE twice, as when its answer was lost: one call, the same tag',
    source: 'RFC 3261 17.2.1',
    run: (bench) =>
      withCall(bench, async (call) => {
        const invite = call.compose('INVITE', call.describe(G711));
        call.send(invite);
        call.send(invite);
        const answer = await call.until(() => call.finalTo(invite), 15_000);
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        call.acknowledge(answer);
        if (!(await hears(call, 0))) return failed('no sound');
        await call.pause(1_500);
        const tags = new Set(
          call.answersTo(invite).flatMap(({ text }) => (statusOf(text) > 100 ? [tagOf(headerValue(text, 'To'))] : [])),
        );
        tags.delete('');
        return tags.size === 1 ? passed('one dialog') : failed(`${tags.size} dialogs`);
      }),
  },
  {
    name: 'ok-until-ack',
    what: 'no ACK comes: the 200 is repeated, and no more after the ACK',
    source: 'RFC 3261 13.3.1.4',
    run: (bench) =>
      withCall(bench, async (call) => {
        const invite = call.compose('INVITE', call.describe(G711));
        call.send(invite);
        const answer = await call.until(() => call.finalTo(invite), 15_000);
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        const accepted = (): number => call.answersTo(invite).filter(({ text }) => statusOf(text) === 200).length;
        if ((await call.until(() => accepted() > 1, REPEATED_WITHIN_MS)) === null) return failed('the 200 came once');
        call.acknowledge(answer);
        await call.pause(300);
        const before = accepted();
        await call.pause(4_200);
        if (accepted() > before) return failed('the 200 is repeated after the ACK');
        return call.isUp ? passed(`the 200 came ${before} times until the ACK`) : failed('the call ended');
      }),
  },
  {
    name: 'cancel',
    what: 'a CANCEL while it rings ends the INVITE with 487',
    source: 'RFC 3261 9.2',
    run: (bench) =>
      untilConclusive(() =>
        withCall(bench, async (call) => {
          const invite = call.compose('INVITE', call.describe(G711));
          call.send(invite);
          const begun = await call.until(() => call.answersTo(invite)[0]?.text, 5_000);
          if (begun === null) return failed('no answer to the INVITE');
          const cancel = call.composeCancel(invite);
          call.send(cancel);
          const final = await call.until(() => call.finalTo(invite), 5_000);
          // Its own answer may come behind that of the INVITE.
          const cancelled = await call.until(
            () => call.received.find(({ text }) => methodOf(text) === 'CANCEL' && statusOf(text) >= 200)?.text,
            2_000,
          );
          if (final !== null) call.acknowledge(final, invite);
          if (cancelled === null) return failed('the CANCEL was not answered');
          if (final !== null && statusOf(final) === 200) return inconclusive('it answered before the CANCEL came');
          return final !== null && statusOf(final) === 487 ? passed('487') : failed(`INVITE: ${said(final)}`);
        }),
      ),
  },
  {
    name: 'require-unknown',
    what: 'an extension that it does not know is required: 420, which names it',
    source: 'RFC 3261 8.2.2.3',
    run: (bench) =>
      withCall(bench, async (call) => {
        const invite = call.compose('INVITE', call.describe(G711), [SDP_TYPE, 'Require: nobody-has-it']);
        call.send(invite);
        const answer = await call.until(() => call.finalTo(invite), 15_000);
        if (answer !== null) call.acknowledge(answer, invite);
        if (answer === null) return failed('no answer');
        if (statusOf(answer) !== 420) return failed(`${statusOf(answer)} where 420 is due`);
        return /^Unsupported:.*nobody-has-it/im.test(answer) ? passed('420') : failed('420 without Unsupported');
      }),
  },
  {
    name: 'reliable-ringing',
    what: 'provisional answers that must be acknowledged: either none needs it, or PRACK is taken',
    source: 'RFC 3262',
    run: (bench) =>
      withCall(bench, async (call) => {
        const invite = call.compose('INVITE', call.describe(G711), [SDP_TYPE, 'Require: 100rel']);
        call.send(invite);
        const first = await call.until(
          () => call.answersTo(invite).find(({ text }) => /^RSeq:/im.test(text) || statusOf(text) >= 200)?.text,
          15_000,
        );
        if (first === null) return failed('no answer');
        if (statusOf(first) === 420) {
          call.acknowledge(first, invite);
          return unsupported('refused with 420');
        }
        if (statusOf(first) >= 200) {
          call.acknowledge(first, invite);
          return failed(`${statusOf(first)} without a reliable provisional answer, which was required`);
        }
        const pracked = await call.prack(first);
        const answer = await call.until(() => call.finalTo(invite), 15_000);
        if (!isAccepted(pracked)) return failed(`PRACK: ${said(pracked)}`);
        if (!isAccepted(answer)) return failed(`INVITE: ${said(answer)}`);
        call.acknowledge(answer);
        return (await hears(call, 0)) ? passed(`RSeq ${cseqOf(first)} acknowledged`) : failed('no sound');
      }),
  },
];
