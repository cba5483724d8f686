// The results that the business wants of each of its calls.
import type { Form } from '../../form.ts';
import { CriteriaCard, OutputsCard } from '../../results/results-fields.tsx';
import type { BusinessValues } from './business-form.ts';

export function ResultsTab({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  return (
    <div class="columns">
      <OutputsCard rows={values.outputs} onChange={(rows) => set('outputs', rows)} faultOf={faultOf} />
      <CriteriaCard rows={values.criteria} onChange={(rows) => set('criteria', rows)} faultOf={faultOf} />
    </div>
  );
}
