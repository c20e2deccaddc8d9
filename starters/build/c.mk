CFLAGS = -std=c11 -O2 -Wall -Wextra

bot: bot.c
	$(CC) $(CFLAGS) -o $@ $<
