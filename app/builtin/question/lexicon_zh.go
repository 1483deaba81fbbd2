package question

import "strings"

// chinese questions are read and answered in the language of the window.
func chinese() *lexicon {
	return &lexicon{
		lang: "zh", time: chineseTime(), unspaced: true,
		ordinals: []string{"第一|第一个|第一条", "第二|第二个|第二条", "第三|第三个|第三条", "第四个|第四条", "第五个|第五条"},
		items:    []string{"第"},
		senses: []sense{
			{cFiller, `的|了|吗|呢|吧|请|请问|一下|给我|告诉我|帮我|我想知道|在|都|最近|近来|有没有|有|没有|什么的|看看|让我看看|一些|重要|主要|简单|大概|和我说说|说说|是|都有|些|来|过|得|着|啊|呀|能|可以|麻烦|谢谢你|到底|这|那|个|条|被|显示|只|仅|数据`},
			{cAlso, `和|与|跟|还有|以及|那么|那`},
			{cAbout, `关于|有关|對於|关於|關於`},
			{cOf, `的`},
			{cWhat, `什么|哪些|什麼|啥|怎么样|怎样`},
			{cWho, `谁|誰|哪位|哪些人`},
			{cMe, `我`},
			{cMy, `我的`},
			{cSelf, `我`},
			{cEveryone, `大家|人们|所有人|朋友们|他们|朋友`},
			{cEveryone | cFollow, `我关注的人|关注的人|我关注的人们`},
			{cFollow, `关注|关注了`},
			{cSomeone, `有人|有没有人|有谁|任何人`},
			{cMissed, `错过|错过了|漏掉|错过什么`},
			{cNews, `话题|新消息|消息|新闻|新鲜事|动态|最新消息|新的|新`},
			{cHappened, `发生|发生了|发生了什么|發生`},
			{cSummary, `总结|摘要|概括|汇总|總結|回顾|总结一下`},
			{cWrote, `说|说了|说过|写|写了|写过|发|发了|发布|发布了|聊|聊了|聊什么|讨论|讨论了|谈|谈了|谈论|在聊|在说|發了|說|說了`},
			{cNotes, `笔记|帖子|动态|消息|贴文|帖`},
			{cNotes | cArticles, `文章|长文`},
			{cTimes, `数|帖子数|笔记数|多少|几条|多少条|几篇|多少篇|数量|多少人|几个`},
			{cMost, `最多|最活跃|最`},
			{cTop, `热门|最喜欢|受欢迎|最受欢迎|最热门|最热|最常用|流行`},
			{cTags, `标签|话题标签|hashtag|hashtags`},
			{Replied, `回复|回复了|回答|回应|答复|回覆`},
			{Replied | Mentioned, `问|问了|找`},
			{Mentioned, `提到|提及|提到了|@了|艾特`},
			{Quoted, `引用|引用了`},
			{Zapped, `打赏|zap|zap了`},
			{Liked, `点赞|点了赞`},
			{Reposted, `转发|转发了`},
			{cGot, `收到|收到了`},
			{cFind, `搜索|查找|搜|找找|搜一下|查`},
			{cConversation, `对话|讨论串|会话`},
			{cLongest, `最长|最长的`},
			{cChart, `图表|画图|图|用图表|柱状图`},
			{cTable, `表格|用表格|列表|表`},
			{cPerDay, `每天|每日|按天`},
			{cPerWeek, `每周|按周|每星期`},
			{cPerHour, `每小时|按小时`},
			{cHelping, `帮助|你能做什么|你会什么|怎么用|你可以做什么|你是谁|使用方法`},
			{cGreeting, `你好|您好|谢谢|早上好|晚上好|多谢|再见|谢谢你`},
			{cGreeting | cThanks, `谢谢|多谢|谢谢你`},
			{cProfile, `个人资料|简介`},
			{cMore | cDetails, `详细|更多细节`},
			{cMore, `更多|详细|详细说说|更多细节|多说`},
			{cBetween, `之间|互相`},
			{cCompare, `比较|比較|比较一下|对比|对比一下`},
			{cAgain, `同样|一样|怎么样`},
			{cUntold, `打开|关闭|播放|预订|几点|明天|后天|下周|下个月|明年|粉丝|什么时候|为什么|哪里|怎么`},
			{cPerson, `这个人|那个人|他|她`},
		},
	}
}

func chineseTime() timeWords {
	tw := timeWords{
		since: []string{"从", "自", "自从"},
		until: []string{"直到", "截至"},
		after: []string{"以来", "以后", "之后", "起", "开始"},
		upTo:  []string{"为止", "之前"},
		from:  []string{"从"}, to: []string{"到", "至"}, between: []string{"从", "在"}, and: []string{"到", "和", "至"},
		at:     []string{"在", "于"},
		thirds: map[string]int{"初": 0, "上旬": 0, "中旬": 1, "中": 1, "下旬": 2, "底": 2, "末": 2},
		parts: map[string]part{
			"早上": {6, 12}, "上午": {6, 12}, "中午": {12, 14}, "下午": {12, 18}, "晚上": {18, 30}, "夜里": {18, 30},
		},
		units:    unitNames("分钟", "小时|个小时", "天|日", "周|星期|个星期", "个月|月", "年"),
		weekdays: weekdayNames("星期天|星期日|周日", "星期一|周一", "星期二|周二", "星期三|周三", "星期四|周四", "星期五|周五", "星期六|周六"),
		months:   monthNames("一月|1月", "二月|2月", "三月|3月", "四月|4月", "五月|5月", "六月|6月", "七月|7月", "八月|8月", "九月|9月", "十月|10月", "十一月|11月", "十二月|12月"),
		numbers:  map[string]int{"一": 1, "两": 2, "二": 2, "三": 3, "几": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10},
		spans: []spanPattern{
			{"今天", true, dayOffset(0)},
			{"昨天", true, dayOffset(-1)},
			{"前天", true, dayOffset(-2)},
			{"今早", true, fixedPart(0, part{6, 12})},
			{"昨晚", true, fixedPart(-1, part{18, 30})},
			{"今 {part}", true, dayPart(0)},
			{"这周|本周|这个星期|这星期", true, blockOf(weeks, 0)},
			{"上周|上个星期|上星期", true, blockOf(weeks, -1)},
			{"这个月|本月", true, blockOf(months, 0)},
			{"上个月|上月", true, blockOf(months, -1)},
			{"今年", true, blockOf(years, 0)},
			{"去年", true, blockOf(years, -1)},
			{"上周末|周末|这周末", true, weekend},
			{"最近|过去|近 的? {n} {unit}", true, rolling},
			{"{n} {unit} 前", true, ago},
			{"上? {weekday}", true, weekday},
			{"{month} 的? 第 {n} 周|星期", true, weekOfMonth},
			{"{month} {third}", true, thirdOfMonth},
			{"{month} {d} 日|号", true, dayOfMonth},
			{"{d} 号", true, dayOfThisMonth},
			{"{month}", true, month},
			{"{y} 年 {month}", true, month},
			{"{y} 年", true, year},
			{"{date}", true, date},
			{"我? 上次 来? 以来?", true, lastVisit},
		},
	}
	for i, day := range []string{"一", "二", "三", "四", "五", "六", "日"} { // in one word with the week
		for offset, week := range map[int]string{-1: "上周%|上星期%|上个星期%", 0: "这周%|本周%|这个星期%"} {
			of := func(c Calendar, _ values) (span, bool) { return c.daysOf(c.block(weeks, offset), i, 1) }
			tw.spans = append(tw.spans, spanPattern{strings.ReplaceAll(week, "%", day), true, of})
		}
	}
	return tw
}
