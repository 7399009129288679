import { toast } from '@/shared/ui';

/** What is said after copying (rule oauth-21). */
export const copiedToast = (): void => toast({ title: 'Copied', description: 'Text copied to clipboard' });
