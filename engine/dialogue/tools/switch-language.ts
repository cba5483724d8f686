// The tool with which a model goes on in another of the agent's languages.
import { languageName } from '../../../models/llm/spoken.ts';
import { object, type Tool, text } from './tool.ts';

export const switchLanguage: Tool = {
  definition: {
    name: 'switch_language',
    description:
      'Go on in another language, because the caller asks for it or speaks it. Call it before you say anything in that language.',
    parameters: object({ language: text('BCP 47, for example de-DE') }, ['language']),
  },
  offered({ languages }) {
    if (languages.length === 0) return null;
    const named = languages.map((language) => `${language} (${languageName('en', language)})`).join(', ');
    const language = { type: 'string', enum: [...languages], description: `One of ${named}` };
    return { ...switchLanguage.definition, parameters: object({ language }, ['language']) };
  },
  run: async (args, context) => ({ result: await context.switchLanguage(String(args.language ?? '')) }),
};
