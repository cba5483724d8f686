// Binds the RTP ports of a call, new ones or those that its peer knows already.
import { randomInt } from 'node:crypto';
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { bindRtpPair, bindRtpPairAt } from '../../../media/rtp/ports.ts';
import { RtpTransport, type RtpTransportOptions } from '../../../media/rtp/rtp-transport.ts';
import { laterStream } from '../../../media/rtp/stream.ts';
import type { OpenCall, ShardTask } from '../protocol.ts';

/** From 0 up to but not including 1. Of `Math.random()` one foresees the next by a few of the last, such as SSRCs. */
const unforeseeable = (): number => randomInt(2 ** 32) / 2 ** 32;

/** @throws {RtpPortError} when there is no port, or another one has the call's */
export async function openRtp(
  { callId, sampleRateHz, resume }: OpenCall,
  { rtpAddress, rtpPortMin, rtpPortMax }: ShardTask,
  edge: Pick<RtpTransportOptions, 'onDigit' | 'onFault' | 'now'>,
): Promise<{ transport: RtpTransport; port: number }> {
  const sent = resume?.sent;
  const sockets = resume?.port
    ? await bindRtpPairAt(rtpAddress, resume.port)
    : await bindRtpPair(rtpAddress, { min: rtpPortMin, max: rtpPortMax }, unforeseeable);
  const transport = new RtpTransport({
    ...edge,
    sockets,
    // RFC 7022: a CNAME that lasts as long as the call and reveals nothing about the machine.
    cname: callId,
    sampleRateHz,
    isSettled: typeof resume?.answeredAtMs === 'number',
    ...(sent ? { resume: laterStream(sent.stream, sharedClockMs() - sent.atMs) } : {}),
  });
  return { transport, port: sockets.port };
}
