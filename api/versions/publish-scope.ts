// A draft of a business by which the service writes to people from then on is published by those who may reach people:
// whoever may only change things would else publish it for somebody who has thought better of it.

import { type BusinessNoticeKind, noticeRules } from '../../db/domain/notices/rules.ts';
import { appointmentTextsOf } from '../../db/domain/texts/appointment-texts.ts';
import type { BusinessTable } from '../../db/schema/businesses.ts';
import type { DraftTable } from '../../db/schema/versions.ts';
import type { Db } from '../../db/schema.ts';
import { checkMayReach } from '../businesses/reach.ts';
import { businessRow } from '../businesses/service.ts';
import type { Auth } from '../frame/app.ts';

/** Also to a canary: one that is good is published by nobody. @throws {ApiError} 403 */
export async function checkMayPublish(trx: Db, auth: Auth, drafts: readonly DraftTable[]): Promise<void> {
  for (const { subject, subjectId, changes } of drafts) {
    if (subject !== 'business') continue;
    const { appointmentTexts = null, notify } = JSON.parse(changes) as Partial<BusinessTable>;
    const live = await businessRow(trx, auth.accountId, subjectId);
    const told = notify === undefined ? {} : { notify: noticeRules<BusinessNoticeKind>(notify) };
    checkMayReach(auth, { appointmentTexts: appointmentTextsOf(appointmentTexts), ...told }, live);
  }
}
