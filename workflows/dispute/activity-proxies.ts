import { proxyActivities } from '@temporalio/workflow';
import type { DisputeActivities } from '../../protocol/dispute-activities.ts';
import { DATABASE_OPTIONS, INQUIRY_OPTIONS, LISTING_OPTIONS } from '../shared/activity-options.ts';

export const records = proxyActivities<Pick<DisputeActivities, 'readDispute' | 'remindOfDispute'>>(DATABASE_OPTIONS);

/** Repeated until the provider's answer is known. */
export const answers = proxyActivities<Pick<DisputeActivities, 'answerDispute'>>(INQUIRY_OPTIONS);

/** Given up after an hour: the next inquiry comes a day later. */
export const inquiries = proxyActivities<Pick<DisputeActivities, 'inquireDispute'>>(LISTING_OPTIONS);
