// A trunk's registration and health as badges.
import type { Trunk } from '../../api-types.ts';
import { Badge, type Tone } from '../../ui/layout.tsx';
import { t, words } from '../../words/words.ts';

const REGISTRATION: Record<Trunk['registration']['state'], [Tone, string]> = {
  off: ['neutral', words('Does not register')],
  registering: ['live', words('Registering')],
  registered: ['good', words('Registered')],
  failed: ['bad', words('Registration refused')],
};
const HEALTH: Record<Trunk['health']['state'], [Tone, string]> = {
  unknown: ['neutral', words('Not checked yet')],
  up: ['good', words('Answers')],
  down: ['bad', words('Does not answer')],
};

export function TrunkState({ of: { registration, health } }: { of: Trunk }) {
  const [registrationTone, registrationText] = REGISTRATION[registration.state];
  const [healthTone, healthText] = HEALTH[health.state];
  return (
    <span class="row">
      <Badge tone={healthTone}>{t(healthText)}</Badge>
      {registration.state !== 'off' && <Badge tone={registrationTone}>{t(registrationText)}</Badge>}
    </span>
  );
}
