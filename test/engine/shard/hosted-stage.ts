// A hosted call on a line that the test plays: its socket, its VAD (everything louder than -50 dBFS is voice) and its
// clock. Models answer where the test does.
import { MessageChannel } from 'node:worker_threads';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { HostedCall } from '../../../engine/shard/hosted-call.ts';
import { ModelPorts } from '../../../engine/shard/models/model-ports.ts';
import type { OpenCall, ShardEvent } from '../../../engine/shard/protocol.ts';
import { bytesToSamples, rms, samplesToBytes } from '../../../media/frame.ts';
import { Lateness } from '../../../media/lateness.ts';
import { SampleRing } from '../../../media/ring.ts';
import { SocketTransport } from '../../../media/socket/socket-transport.ts';
import { VAD_WINDOW_SAMPLES } from '../../../models/vad/vad.ts';

const RATE_HZ = 16_000;
const FRAME = 320;
const VOICE_RMS = 100;

export function hostCall(command: OpenCall, { judgesTurnEnds = false } = {}) {
  const clock = new VirtualClock(77_000);
  const [vad, stt, tts, turnEnd, speech] = [
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
    new MessageChannel(),
  ];
  const models = new ModelPorts(
    {
      vad: vad.port1,
      vadIndex: 0,
      stt: [stt.port1],
      tts: [tts.port1],
      turnEnd: judgesTurnEnds ? turnEnd.port1 : null,
      speechModel: command.speechModel ? speech.port1 : null,
    },
    (_, action) => action(),
  );
  const events: ShardEvent[] = [];
  const transport = new SocketTransport(RATE_HZ, () => clock.monotonicMs());
  const call = new HostedCall(command, transport, {
    models,
    clock,
    vadLateness: new Lateness(50),
    emit: (event) => events.push(event),
    fail: (error) => {
      throw error;
    },
  });
  /** When the caller's newest sound arrived. */
  let lastSaidAtMs = 0;
  /** When the agent's sounds were sent. */
  const spokeAtMs: number[] = [];
  transport.attach({
    bufferedBytes: 0,
    sendBinary: (bytes) => {
      if (rms(bytesToSamples(bytes)) > VOICE_RMS) spokeAtMs.push(clock.monotonicMs());
    },
    sendText: () => undefined,
    close: () => undefined,
  });
  const window = new Int16Array(VAD_WINDOW_SAMPLES);
  let endSample = 0;
  /** Plays 20 ms of the line, 16 kHz. */
  const hearFrame = (frame: Int16Array): void => {
    const ring = new SampleRing(call.audio.heard.vadMemory);
    transport.receive(samplesToBytes(frame));
    if (rms(frame) > VOICE_RMS) lastSaidAtMs = clock.monotonicMs();
    clock.advance(20);
    call.audio.send(clock.monotonicMs(), 0);
    call.audio.hear(clock.monotonicMs());
    while (ring.read(window)) {
      endSample += VAD_WINDOW_SAMPLES;
      call.answers.vadWindow(rms(window) > VOICE_RMS ? 0.9 : 0.01, endSample);
    }
  };
  return {
    clock,
    call,
    events,
    spokeAtMs,
    lastSaidAtMs: () => lastSaidAtMs,
    hearFrame,
    hear: (samples: Int16Array) => {
      for (let at = 0; at + FRAME <= samples.length; at += FRAME) hearFrame(samples.subarray(at, at + FRAME));
    },
    /** Where the models' requests arrive. */
    requests: { stt: stt.port2, tts: tts.port2, turnEnd: turnEnd.port2, speech: speech.port2 },
    stop: () => {
      models.stop();
      for (const channel of [vad, stt, tts, turnEnd, speech]) channel.port2.close();
    },
  };
}
