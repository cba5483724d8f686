// The microphone and the speaker of a browser call, with errors for missing ones.

const CALL_RATE_HZ = 16_000;
/** Firefox starts its audio thread once there is something to play on, so it may never do. */
const START_WITHIN_MS = 2_000;

export type MicrophoneReason = 'insecure' | 'refused' | 'none' | 'in-use' | 'failed';

/** `message`: what the reason alone does not say. */
export class MicrophoneFault extends Error {
  readonly reason: MicrophoneReason;

  constructor(reason: MicrophoneReason, message = '') {
    super(message);
    this.reason = reason;
  }
}

/** @throws {MicrophoneFault} */
export async function openMicrophone(): Promise<MediaStream> {
  if (!isSecureContext || navigator.mediaDevices === undefined) throw new MicrophoneFault('insecure');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    });
  } catch (fault) {
    throw new MicrophoneFault(reasonOf(fault instanceof Error ? fault.name : ''));
  }
}

function reasonOf(name: string): MicrophoneReason {
  switch (name) {
    case 'NotAllowedError':
      return 'refused';
    case 'NotFoundError':
      return 'none';
    case 'NotReadableError':
      return 'in-use';
    default:
      return 'failed';
  }
}

export interface AudioPath {
  /** Plays audio of the call. */
  play: (pcm: ArrayBuffer) => void;
  mute: (isMuted: boolean) => void;
  /** The loudest recent sample, 0 to 1. */
  level: () => number;
  close: () => void;
}

/**
 * Uses the call's rate, so that the browser resamples; in Firefox, which uses a microphone only at its own rate, the
 * worklet resamples.
 */
function openContext(microphone: MediaStream): { context: AudioContext; source: MediaStreamAudioSourceNode } {
  const context = new AudioContext({ sampleRate: CALL_RATE_HZ });
  try {
    return { context, source: context.createMediaStreamSource(microphone) };
  } catch {
    void context.close();
    const own = new AudioContext();
    return { context: own, source: own.createMediaStreamSource(microphone) };
  }
}

/**
 * @param worklet address of its script
 * @param onAudio PCM of the microphone, 16 bits mono at 16 kHz, a few ms at a time
 * @param startWithinMs then the call goes on without this path: WebRTC carries it, and its words are read
 */
export async function openAudioPath(
  microphone: MediaStream,
  worklet: string,
  onAudio: (pcm: ArrayBuffer) => void,
  startWithinMs = START_WITHIN_MS,
): Promise<AudioPath> {
  const { context, source } = openContext(microphone);
  try {
    await context.audioWorklet.addModule(worklet);
  } catch (fault) {
    void context.close();
    throw fault;
  }
  const telephone = new AudioWorkletNode(context, 'telephone');
  const analyser = new AnalyserNode(context, { fftSize: 512 });
  source.connect(telephone).connect(context.destination);
  source.connect(analyser);
  telephone.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onAudio(data);
  await Promise.race([
    context.resume().catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, startWithinMs)),
  ]);
  const samples = new Float32Array(analyser.fftSize);
  return {
    // Sound that cannot be played is not kept until it can.
    play: (pcm) => {
      if (context.state === 'running') telephone.port.postMessage(pcm, [pcm]);
    },
    mute: (isMuted) => {
      for (const track of microphone.getAudioTracks()) track.enabled = !isMuted;
    },
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
    },
    close: () => {
      for (const track of microphone.getTracks()) track.stop();
      void context.close();
    },
  };
}
