export { GiftsPage } from './gifts-page';
export { SendGiftDialog } from './send-gift-dialog';
