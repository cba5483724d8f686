// Greetings and fixed sentences that a slow voice makes before a call, with all that they need.

import { messageOf } from '../../db/domain/unexpected.ts';
import { answeringCampaigns } from '../../db/queries/campaigns/answering.ts';
import { greetingRequests, sentenceRequests } from '../call/setup.ts';
import { GreetingsAhead, MAX_GREETINGS } from '../models/greetings-ahead.ts';
import { speechToSpeechOf } from './call-ports.ts';
import type { Media } from './media.ts';
import type { Storage } from './storage.ts';

/** A change of them may change a greeting. */
export const GREETING_TABLES = ['campaigns', 'businesses', 'agents', 'model_settings'];

export function createGreetingsAhead({ read, clock, log }: Storage, { fleet, dialogue, load }: Media): GreetingsAhead {
  return new GreetingsAhead({
    read: async () => {
      const campaigns = await answeringCampaigns(read, MAX_GREETINGS);
      const deps = { dialogue: dialogue.model, ...speechToSpeechOf(fleet) };
      const greetings = campaigns.flatMap((setup) => greetingRequests(setup, deps, clock.nowMs()));
      return [...greetings.slice(0, MAX_GREETINGS), ...campaigns.flatMap(sentenceRequests)];
    },
    connect: () => fleet.slowVoices(),
    voice: () => fleet.tts,
    isBusy: () => load.admission.active > 0,
    clock,
    onError: (error) => log.warn({ error: messageOf(error) }, 'could not make greetings ahead'),
  });
}
