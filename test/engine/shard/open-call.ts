// The command that opens a call in a shard: a browser's, with the turn settings of the tests, and what differs.
import type { OpenCall } from '../../../engine/shard/protocol.ts';
import type { TurnConfig } from '../../../engine/turn/machine.ts';
import type { SpeechSetup } from '../../../models/speech-to-speech/speech-to-speech.ts';
import { plainConfig } from '../turn/stage.ts';

export const openCall = (
  { callId, ...changes }: Partial<OpenCall> & Pick<OpenCall, 'callId'>,
  turn: Partial<TurnConfig> = {},
): OpenCall => ({
  type: 'open',
  callId,
  sampleRateHz: 16_000,
  transport: { kind: 'socket', token: '' },
  turn: {
    ...plainConfig,
    silenceThresholdMs: 300,
    idleMs: 60_000,
    idlePrompts: 1,
    groupAcknowledgement: 'none',
    sttDeadlineMs: 2_000,
    replyDeadlineMs: 5_000,
    ...turn,
  },
  voice: { voiceId: 'fake', speed: 1 },
  vocabulary: { language: 'en', businessName: 'Test', services: [], questions: [], phrases: [] },
  recordingPath: null,
  amd: null,
  ...changes,
});

/** Of a call that a speech-to-speech model answers. */
export const SPEECH_SETUP: SpeechSetup = {
  instructions: 'You are Sam.',
  tools: [],
  language: 'en-US',
  temperature: null,
  model: null,
  voice: null,
};
