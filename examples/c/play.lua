-- Play hands action by action with LuaJIT, and print what each seat scored.
--
--     rookery library here --rules kd_tournament
--     luajit examples/c/play.lua here kd_tournament 100 papa hog papa hog
--
-- Nothing is built and nothing is bound by hand: LuaJIT reads the declarations in rookery.h.
-- The lines are those of play.c, for the same hands.

local ffi = require("ffi")
local folder, rules, hands = arg[1], arg[2], tonumber(arg[3])
if #arg < 4 or not hands or hands < 1 then
  io.stderr:write("play: expected FOLDER RULES HANDS BOT...\n")
  os.exit(2)
end

local function contents(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- The header without what is meant for a preprocessor.
local header = contents(folder .. "/rookery.h")
header = header:gsub("#ifdef __cplusplus.-#endif", ""):gsub("\\\n", " "):gsub("\n#[^\n]*", "\n")
ffi.cdef(header)
local endings = { Windows = "/rookery.dll", OSX = "/librookery.dylib" }
local library = ffi.load(folder .. (endings[ffi.os] or "/librookery.so"))

local table_ = ffi.new("rookery_rule_table")
local bytes = contents(folder .. "/" .. rules .. ".table")
assert(#bytes == ffi.sizeof(table_), "a rule table of another version")
ffi.copy(table_, bytes, #bytes)

local seats = tonumber(table_.seats)
local kinds = {}
for seat = 0, seats - 1 do
  local name = arg[4 + seat % (#arg - 3)]
  kinds[seat] = library["ROOKERY_BOT_" .. name:upper()]
end

local state, hidden = ffi.new("rookery_state"), ffi.new("rookery_hidden")
local mine = ffi.new("rookery_seat_info[?]", seats)
local order = ffi.new("int64_t[?]", library.ROOKERY_CARDS)
local actions = ffi.new("int64_t[?]", library.ROOKERY_ACTIONS)

-- A bot may do nothing that is not legal.
local function check(action)
  local count = tonumber(library.rookery_legal(table_, state, hidden, actions, library.ROOKERY_ACTIONS))
  for i = 0, count - 1 do
    if actions[i] == action then return end
  end
  error("not legal: " .. tostring(action))
end

-- Deal and play until a hand is scored; return how many deals were cancelled on the way.
local function play(dealer)
  local cancelled = -1
  repeat
    cancelled = cancelled + 1
    library.rookery_shuffle(table_, hidden, order, library.ROOKERY_CARDS)
    library.rookery_deal(table_, state, hidden, order, library.ROOKERY_CARDS, dealer)
    for seat = 0, seats - 1 do library.rookery_clear_notes(mine + seat) end
    while true do
      local seat = tonumber(library.rookery_actor(state))
      if seat < 0 then break end
      local action
      if state.phase == library.ROOKERY_PHASE_PLAY then
        library.rookery_observe_trick(table_, state, hidden, mine + seat)
        action = library.rookery_decide_card(table_, state, mine + seat, kinds[seat])
      else
        library.rookery_observe(table_, state, hidden, mine + seat)
        action = library.rookery_decide(table_, state, mine + seat, kinds[seat])
      end
      check(action)
      library.rookery_apply(table_, state, hidden, action)
    end
  until state.phase == library.ROOKERY_PHASE_DONE
  return cancelled
end

local seed, streams = 1906, 4
for stream = 0, streams - 1 do
  local first = stream * library.ROOKERY_SHARE
  hidden.rng = library.rookery_seeded(seed, first)
  for seat = 0, seats - 1 do mine[seat].rng = library.rookery_seeded(seed, first + 1 + seat) end
  local cancelled, total = 0, {}
  for hand = 0, hands - 1 do
    cancelled = cancelled + play(hand % seats)
    for seat = 0, seats - 1 do
      total[seat + 1] = (total[seat + 1] or 0) + tonumber(state.score[seat])
    end
  end
  print(stream .. " " .. cancelled .. " " .. table.concat(total, " "))
end
