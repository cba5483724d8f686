// /admin/model-settings: which engine listens, thinks and speaks, or does all of it, for an ADMIN; without a restart.
import { Type } from 'typebox';
import { wordErrors } from '../../db/domain/tests/word-errors.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { errorResponses, ok } from '../frame/envelope-schema.ts';
import { changeModelSettings, getModelSettings, valuesToTest } from './settings.ts';
import {
  ModelSettings,
  ModelSettingsPatch,
  ModelSettingsTest,
  ModelTestResult,
  SettableKind,
} from './settings-schema.ts';
import { testModelSettings } from './settings-test.ts';

const tags = ['Models'];
const config = { admin: true };
const params = Type.Object({ kind: SettableKind });

export function registerModelSettings(app: App, context: ApiContext): void {
  app.get(
    '/admin/model-settings',
    {
      config,
      schema: {
        tags,
        summary: 'Which engine listens, thinks and speaks',
        response: {
          200: ok(
            Type.Object({
              llm: ModelSettings,
              stt: ModelSettings,
              tts: ModelSettings,
              'speech-to-speech': ModelSettings,
            }),
          ),
          ...errorResponses(401, 403, 429),
        },
      },
    },
    async () => ({ data: await getModelSettings(context) }),
  );
  app.patch(
    '/admin/model-settings/:kind',
    {
      config,
      schema: {
        tags,
        summary: 'Change an engine, for the next calls',
        description:
          'A change of the engine empties the fields that the body does not give, but for `llm`. Of `speech-to-speech` ' +
          'the engine null, or `cascade`, lets recogniser, dialogue model and voice answer. ' +
          'Running calls keep the engine with which they began.',
        params,
        body: ModelSettingsPatch,
        response: { 200: ok(ModelSettings), ...errorResponses(400, 401, 403, 409, 422, 429) },
      },
    },
    async (request) => {
      const { kind } = request.params;
      const data = await changeModelSettings(context, kind, request.body);
      const fields = Object.keys(request.body);
      context.log.info({ userId: request.auth.userId, kind, fields }, 'model settings changed');
      return { data };
    },
  );
  app.post(
    '/admin/model-settings/:kind/test',
    {
      config,
      schema: {
        tags,
        summary: 'Try settings of an engine without saving them',
        description: 'Takes what a change would take. It may take half a minute.',
        params,
        body: ModelSettingsTest,
        response: { 200: ok(ModelTestResult), ...errorResponses(400, 401, 403, 409, 422, 429, 503) },
      },
    },
    async (request) => {
      const { kind } = request.params;
      const { language, spokenBy, ...changes } = request.body;
      const values = await valuesToTest(context, kind, changes);
      const trial = await testModelSettings(context, request.auth.accountId, kind, values, { language, spokenBy });
      // An engine of the former release says none.
      const { sentence = null, text } = trial;
      const isHeard = kind === 'stt' && sentence !== null && text !== null;
      return { data: { ...trial, sentence, wordErrors: isHeard ? wordErrors(sentence, text).errors : null } };
    },
  );
}
