// The tools of a campaign's calls, and what is wanted to be known of each call.
import type { Form } from '../../form.ts';
import { CriteriaCard, OutputsCard } from '../../results/results-fields.tsx';
import { ToolsCard } from '../../tools/tools-field.tsx';
import { t, words } from '../../words/words.ts';
import type { CampaignValues } from './campaign-form.ts';

const BESIDE = words('They stand beside the business’s, and in place of those of the same name.');

export function CampaignWishes({ form }: { form: Form<CampaignValues> }) {
  const { values, set, faultOf } = form;
  return (
    <div class="columns">
      <div class="stack">
        <ToolsCard
          hint={t('In this order, before those of the business and of the agent.')}
          fault={faultOf('toolIds', true)}
          value={values.toolIds}
          onChange={(toolIds) => set('toolIds', toolIds)}
        />
        <CriteriaCard
          hint={t(BESIDE)}
          rows={values.criteria}
          onChange={(rows) => set('criteria', rows)}
          faultOf={faultOf}
        />
      </div>
      <OutputsCard hint={t(BESIDE)} rows={values.outputs} onChange={(rows) => set('outputs', rows)} faultOf={faultOf} />
    </div>
  );
}
