// Simulations in other languages than English, over SIP: the agent and a caller with a goal both have the sentences of
// their language. Ears, voice and model are servers' that hear one sentence and answer one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpeechServer } from '../../../bench/rig/fakes/speech-server.ts';
import { Rest } from '../../../bench/rig/service/rest.ts';
import { startService } from '../../../bench/rig/service/service.ts';
import { FakeOpenAi } from '../../support/models/fake-openai.ts';
import { nightly } from '../../support/nightly.ts';

const TALKS = [
  {
    ...{ language: 'de-DE', asks: 'wann haben Sie geöffnet', said: 'montag bis freitag' },
    answer: 'Wir haben Montag bis Freitag von neun bis achtzehn Uhr geöffnet.',
  },
  {
    ...{ language: 'es-ES', asks: 'cuál es su horario', said: 'de lunes a viernes' },
    answer: 'Abrimos de lunes a viernes, de nueve a seis.',
  },
];

for (const { language, asks, said, answer } of TALKS) {
  test(`a caller with a goal is led to its end in ${language}`, { skip: nightly }, async (t) => {
    const server = await new SpeechServer({ text: asks }).start();
    const model = await FakeOpenAi.start([() => ({ type: 'text', pieces: [answer] })]);
    const [base, key] = [`${server.origin}/v1`, 'key'];
    const service = await startService({
      ...{ STT: 'openai', STT_BASE_URL: base, STT_API_KEY: key, STT_MODEL: 'whisper-1' },
      ...{ TTS: 'openai', TTS_BASE_URL: base, TTS_API_KEY: key, TTS_VOICES: 'alloy' },
      ...{ LLM: 'openai', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: key, MAX_CALLS: '10' },
    });
    t.after(async () => {
      await service.stop();
      await server.stop();
      await model.stop();
    });
    const rest = await new Rest(service).login();
    const [campaign] = await rest.must('GET', '/campaigns');
    assert.ok(campaign);
    const { businessId, agentId } = campaign;
    const [voice] = await rest.must('GET', '/voices');
    await rest.must('PATCH', `/agents/${agentId}`, { language, voiceId: voice?.id ?? '' });
    const suite = await rest.must('POST', '/test-suites', { name: 'By voice', businessId, agentId });
    await rest.must('POST', `/test-suites/${suite.id}/cases`, {
      ...{ kind: 'simulation', name: 'hours' },
      definition: {
        // No voice of this machine speaks the language: these ears hear the same in any.
        caller: { voice: 'flite-slt', goal: asks },
        checks: [{ said }, { language }, { endedBy: 'caller' }],
      },
    });
    const run = await rest.must('POST', `/test-suites/${suite.id}/runs`, { seed: 7 });
    const hasEnded = async () => (await rest.must('GET', `/test-runs/${run.id}`)).endedAt !== null;
    await rest.eventually('the run ends', hasEnded, 240_000);
    const [result] = await rest.must('GET', `/test-runs/${run.id}/results`);
    assert.equal(result?.status, 'PASSED', JSON.stringify(result, null, 1));
    assert.ok(result.hasRecording);
  });
}
