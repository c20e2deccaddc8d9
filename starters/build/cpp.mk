CXXFLAGS = -std=c++17 -O2 -Wall -Wextra

bot: bot.cpp
	$(CXX) $(CXXFLAGS) -o $@ $<
