/** The first file of the archive: what the others contain, and what is not in them. */
export const README = `Your data at Fanvas
===================

account.json     your account: e-mail address, name, roles, when we first saw you, and your consent as a creator
credits.json     every event of your credits, oldest first, and the balance that they add up to
purchases.json   every checkout with its refunds and disputes, and credits that you owe
creations.json   every generation: prompt, creator, state, times, credits. Deleted ones have no prompt, nor have those
                 that were refused more than 90 days ago.
                 "is_test" marks a creator's free tests, with their ratings and notes.
moderation.json  your prompts that were refused (kept for 90 days), the reports that you made, images of yours that were
                 taken down, the suspension of your account, and what our admins did about it: kind, time and reason
creator.json     for creators: your profile, applications with our decisions and questions, your controls (blocked words,
                 images kept out of the gallery, take-down requests, payout details), your income and images by month,
                 and your payouts
pictures/        your images, the largest size of each; creations.json names the file. For creators: your portrait
manifest.json    when the archive was made, and the pictures that could not be read, if any

Times are in UTC. Amounts of money are in cents. "details" of an event is the event as it is stored.

Not in this archive
-------------------

Passwords, sign-in methods and sessions are at the identity provider. Card details are at the payment processor; the
receipts in purchases.json lead there. Reports that other people made are theirs. Server logs contain no
prompts and no e-mail addresses, and are not kept by person.
`;
