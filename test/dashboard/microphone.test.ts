// The audio of a browser call where the browser has nothing to play on: Firefox waits for an output before its audio
// thread runs, for ever if there is none.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { openAudioPath } from '../../api/dashboard/app/talk/microphone.ts';

const taken = { AudioContext: globalThis.AudioContext };

interface Surroundings {
  state: AudioContextState;
  posted: unknown[];
}

/** A browser whose audio thread starts as `resume` says. */
function browserWith(resume: () => Promise<void>): Surroundings {
  const surroundings: Surroundings = { state: 'suspended', posted: [] };
  const node = { connect: (next: unknown) => next };
  class Context {
    get state() {
      return surroundings.state;
    }
    audioWorklet = { addModule: async () => undefined };
    createMediaStreamSource = () => node;
    resume = resume;
    close = async () => undefined;
  }
  class Telephone {
    connect = node.connect;
    port = { onmessage: null, postMessage: (pcm: unknown) => surroundings.posted.push(pcm) };
  }
  class Analyser {
    fftSize = 512;
  }
  Object.assign(globalThis, { AudioContext: Context, AudioWorkletNode: Telephone, AnalyserNode: Analyser });
  return surroundings;
}

afterEach(() => Object.assign(globalThis, taken));

const microphone = { getAudioTracks: () => [], getTracks: () => [] } as unknown as MediaStream;

test('a call begins where nothing can be played, and what cannot be played is not kept for later', async () => {
  const surroundings = browserWith(() => new Promise(() => undefined));
  const path = await openAudioPath(microphone, '/worklet.js', () => undefined, 0);
  path.play(new ArrayBuffer(640));
  assert.deepEqual(surroundings.posted, []);
  surroundings.state = 'running';
  path.play(new ArrayBuffer(640));
  assert.equal(surroundings.posted.length, 1);
});

test('a browser that refuses to start its audio thread is no fault of the call', async () => {
  browserWith(() => Promise.reject(new Error('closed meanwhile')));
  await openAudioPath(microphone, '/worklet.js', () => undefined, 0);
});
