import { toast } from '@/shared/ui';

/** S1 §8 Consent and demo: what is said after copying. */
export const copiedToast = (): void => toast({ title: 'Copied', description: 'Text copied to clipboard' });
