// Whom a business's agents may hand a caller to.
import type { Form } from '../../form.ts';
import { DestinationsCard } from '../../transfers/destinations-card.tsx';
import { t } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';
import { HoldMusicCard } from './hold-music-card.tsx';

export function TransfersTab({ form, businessId }: { form: Form<BusinessValues>; businessId: string }) {
  const { values, set, faultOf } = form;
  return (
    <>
      <DestinationsCard
        hint={t(
          'Hours are in {timezone}. A campaign may have its own list. Where nobody takes the call, the number of “Transfer to” is the last resort.',
          { timezone: values.timezone },
        )}
        rows={values.destinations}
        onChange={(rows) => set('destinations', rows)}
        faultOf={faultOf}
      />
      <HoldMusicCard businessId={businessId} />
    </>
  );
}
