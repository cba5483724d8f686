// The engines that new calls use, as bills name them: name and model of a vendor, and whether they run here.
import type { BilledEngine, BilledEngines } from '../../db/domain/cost/uses.ts';
import { localName } from '../../models/install/local-models.ts';
import { DIALOGUE_VENDORS, STT_VENDORS, TTS_VENDORS } from '../../models/vendors/vendors.ts';
import type { ModelFleet } from '../models/fleet.ts';

/** Of the vendors, and of the environment, the model of an engine; null: it has none. */
function billed(
  name: string,
  environment: Record<string, string | undefined>,
  prefix: 'STT' | 'TTS' | 'DIALOGUE',
  vendors: Readonly<Record<string, { model: string }>>,
): BilledEngine {
  const vendor = Object.hasOwn(vendors, name) ? vendors[name] : undefined;
  if (vendor !== undefined)
    return { engine: name, model: environment[`${prefix}_MODEL`]?.trim() || vendor.model, isOwn: false };
  // Of a plug-in's path only that it is one. Who knows what it asks?
  const isPlugIn = name.startsWith('module:');
  return { engine: isPlugIn ? 'module' : name, model: localName(name), isOwn: !isPlugIn };
}

export function billedEngines(
  fleet: Pick<ModelFleet, 'stt' | 'tts' | 'speechToSpeech' | 'environmentOf'>,
): BilledEngines {
  const session = fleet.speechToSpeech;
  return {
    stt: billed(fleet.stt, fleet.environmentOf('stt'), 'STT', STT_VENDORS),
    tts: billed(fleet.tts, fleet.environmentOf('tts'), 'TTS', TTS_VENDORS),
    speechToSpeech: session && billed(session.name, session.environment, 'DIALOGUE', DIALOGUE_VENDORS),
  };
}
