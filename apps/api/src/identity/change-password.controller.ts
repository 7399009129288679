import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../platform/auth/access.js';

/** Takes password managers to the page where members change their password (W3C, A Well-Known URL for Changing Passwords). */
@Public()
@ApiExcludeController()
@Controller()
export class ChangePasswordController {
  @Get('.well-known/change-password')
  @Redirect('/profile?tab=settings', 302)
  open(): void {
    // The redirect is the answer.
  }
}
